/** What the tests use of the package, which brings no types. */
declare const validator: {
  validateBytes(
    bytes: Uint8Array,
    options: {
      format: "glb" | "gltf";
      maxIssues: number;
      writeTimestamp: boolean;
    },
    // deno-lint-ignore no-explicit-any
  ): Promise<any>;
};
export default validator;
