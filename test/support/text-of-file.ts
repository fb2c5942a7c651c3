import { unzipSync } from 'fflate';

/** What somebody reads in a file: its text, or the names and texts of everything in a ZIP file, also of one in another. */
export function textOfFile(content: Uint8Array): string {
  if (!isZip(content)) return Buffer.from(content).toString();
  // The comment of a ZIP file stands behind its list of files, uncompressed.
  const parts = Object.entries(unzipSync(content)).map(([name, inside]) => `${name}\n${textOfFile(inside)}`);
  return [...parts, Buffer.from(content.subarray(-1_000)).toString('latin1')].join('\n');
}

function isZip(content: Uint8Array): boolean {
  return [0x50, 0x4b, 0x03, 0x04].every((byte, place) => content[place] === byte);
}
