import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signatureBytes = 8;
/** Length, type and checksum: https://www.w3.org/TR/png-3/#5Chunk-layout */
const chunkOverheadBytes = 12;
/** The color type of a header: https://www.w3.org/TR/png-3/#6Colour-values */
const rgba = 6;

/** Stores the pixels of a PNG, of 8 bits a channel, without filters: text on plain ground deflates better so. */
export function smallerPng(png: Buffer): Buffer {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = signatureBytes; at < png.length;) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + chunkOverheadBytes;
  }
  const pixels = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)));
  const header = chunks[0]!.data;
  const plain = unfilter(pixels, header.readUInt32BE(0), header[9] === rgba ? 4 : 3);
  const first = chunks.findIndex(({ type }) => type === 'IDAT');
  const kept = chunks.filter(({ type }) => type !== 'IDAT');
  kept.splice(first, 0, { type: 'IDAT', data: deflateSync(plain, { level: 9, memLevel: 9 }) });
  return Buffer.concat([png.subarray(0, signatureBytes), ...kept.map(encoded)]);
}

/** Undoes the filter of each row: https://www.w3.org/TR/png-3/#9Filter-types */
function unfilter(filtered: Buffer, width: number, bytesPerPixel: number): Buffer {
  const rowBytes = width * bytesPerPixel + 1;
  const plain = Buffer.from(filtered);
  for (let row = 0; row < plain.length; row += rowBytes) {
    const filter = plain[row];
    plain[row] = 0;
    for (let at = row + 1; at < row + rowBytes; at += 1) {
      const left = at - row > bytesPerPixel ? plain[at - bytesPerPixel]! : 0;
      const up = row === 0 ? 0 : plain[at - rowBytes]!;
      const corner = row === 0 || at - row <= bytesPerPixel ? 0 : plain[at - rowBytes - bytesPerPixel]!;
      plain[at] = (plain[at]! + predicted(filter, left, up, corner)) & 0xff;
    }
  }
  return plain;
}

function predicted(filter: number | undefined, left: number, up: number, corner: number): number {
  if (filter === 4) {
    const [byLeft, byUp, byCorner] = [up - corner, left - corner, left + up - 2 * corner].map(Math.abs) as [
      number,
      number,
      number,
    ];
    return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
  }
  return filter === 1 ? left : filter === 2 ? up : filter === 3 ? (left + up) >> 1 : 0;
}

function encoded({ type, data }: { type: string; data: Buffer }): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(typeAndData));
  return Buffer.concat([length, typeAndData, checksum]);
}
