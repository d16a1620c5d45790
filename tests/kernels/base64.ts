/** Base64 of bytes, by the oldest means. */
export function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));
}
