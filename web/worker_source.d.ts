/** The worker as one script; scripts/bundle_page.ts puts it in. */
declare module "worker-source" {
  const source: string;
  export default source;
}
