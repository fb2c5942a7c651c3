import { Worker } from 'node:worker_threads';
import { amount, say } from '../../domain/said.ts';
import { saveAs } from './letters.ts';

/** A sheet as the worker read it. The first row of the sheet is line 1. */
export interface Sheet {
  name: string;
  rows: readonly { line: number; cells: readonly string[] }[];
}

/** Where the content of a file stands in an archive. `size`: unpacked, as the archive says. */
export interface Packed {
  name: string;
  size: number;
  packedSize: number;
  isDeflated: boolean;
  at: number;
}

/** What the worker answers: the sheets that have something, or what is wrong with them. */
export type WorkbookAnswer = { sheets: Sheet[] } | { wrong: 'broken' | 'long' | 'wide' };

/** A list of 5,000 people with 40 columns takes 10 MB. */
const unpackedAtMost = 30_000_000;
const entriesAtMost = 1_000;
const sheetsAtMost = 50;
const columnsAtMost = 200;
/** Far more than a whole workbook takes, since a busy machine is no damage of the file. */
const readingTimeoutMs = 20_000;
const workerMemoryMb = 200;

const damaged = `${say`This file is damaged or incomplete.`} ${saveAs}`;
const alone = say`Save the list alone, then try again.`;

/** Other files that are archives, by a name in them. */
const others: readonly (readonly [part: RegExp, name: string])[] = [
  [/^xl\/workbook\.bin$/, say`a binary workbook (.xlsb)`],
  [/(?:^|\/)(?:Document|Index)[^/]*\.(?:iwa|zip)$/, say`a Numbers file`],
  [/^word\//, say`a Word file`],
  [/^ppt\//, say`a presentation`],
  [/^content\.xml$/, say`an OpenDocument file`],
];

/** Whether a file is an archive, as workbooks are. */
export function isArchive(content: Buffer): boolean {
  return ['PK\u0003\u0004', 'PK\u0005\u0006'].includes(content.toString('latin1', 0, 4));
}

/**
 * Reads a workbook (.xlsx). What its archive says that it holds is looked at first; it is unpacked and read in another thread,
 * with limits.
 *
 * @returns `problem`: why it is not read, as a sentence
 */
export async function readWorkbook(content: Buffer): Promise<{ sheets: Sheet[] } | { problem: string }> {
  const entries = entriesOf(content);
  if (entries === undefined) return { problem: damaged };
  const has = (pattern: RegExp) => entries.some(({ name }) => pattern.test(name));
  if (!has(/^xl\/workbook\.xml$/)) {
    const [, kind = say`a zip file`] = others.find(([part]) => has(part)) ?? [];
    return { problem: `${say`This is ${kind}, which the bot can’t read.`} ${saveAs}` };
  }
  if (has(/vbaProject\.bin$/i))
    return { problem: `${say`This workbook has macros, so the bot doesn’t open it.`} ${saveAs}` };
  if (has(/^xl\/externalLinks\//))
    return { problem: `${say`This workbook takes cells from other files, so the bot doesn’t open it.`} ${saveAs}` };
  if (entries.filter(({ name }) => /^xl\/worksheets\/[^/]+$/.test(name)).length > sheetsAtMost)
    return { problem: `${say`This workbook has more than ${sheetsAtMost} sheets.`} ${alone}` };
  const parts = entries.filter(({ name }) => /\.(?:xml|rels)$/.test(name));
  if (entries.length >= entriesAtMost || parts.reduce((sum, { size }) => sum + size, 0) > unpackedAtMost)
    return { problem: `${say`This workbook is too large once it is unpacked.`} ${alone}` };
  const answer = await inWorker(content, parts);
  if ('sheets' in answer) return answer;
  if (answer.wrong === 'broken') return { problem: damaged };
  return answer.wrong === 'wide'
    ? { problem: `${say`A sheet of the workbook has more than ${columnsAtMost} columns.`} ${alone}` }
    : { problem: `${say`A sheet of the workbook has more than ${amount(10_000)} rows.`} ${alone}` };
}

/** @returns the first entries of the directory at the end of an archive; undefined where it has none */
function entriesOf(content: Buffer): Packed[] | undefined {
  const end = content.lastIndexOf('PK\u0005\u0006', content.length, 'latin1');
  if (end < 0 || end + 22 > content.length) return undefined;
  const entries: Packed[] = [];
  let at = content.readUInt32LE(end + 16);
  for (let left = content.readUInt16LE(end + 10); left > 0 && entries.length < entriesAtMost; left -= 1) {
    if (at + 46 > end || content.readUInt32LE(at) !== 0x02014b50) return undefined;
    const nameEnd = at + 46 + content.readUInt16LE(at + 28);
    entries.push({
      name: content.toString('utf8', at + 46, nameEnd),
      isDeflated: content.readUInt16LE(at + 10) === 8,
      packedSize: content.readUInt32LE(at + 20),
      size: content.readUInt32LE(at + 24),
      at: content.readUInt32LE(at + 42),
    });
    at = nameEnd + content.readUInt16LE(at + 30) + content.readUInt16LE(at + 32);
  }
  return entries;
}

/** Another thread ends with its memory or its time, and the bot goes on. */
async function inWorker(content: Buffer, parts: readonly Packed[]): Promise<WorkbookAnswer> {
  const worker = new Worker(new URL('./workbook-reader.ts', import.meta.url), {
    workerData: { content, parts, columnsAtMost },
    resourceLimits: { maxOldGenerationSizeMb: workerMemoryMb, maxYoungGenerationSizeMb: 16 },
    stderr: true,
  });
  try {
    return await new Promise<WorkbookAnswer>((resolve) => {
      const isBroken = () => resolve({ wrong: 'broken' });
      worker.once('message', resolve);
      worker.once('error', isBroken);
      worker.once('exit', isBroken);
      AbortSignal.timeout(readingTimeoutMs).addEventListener('abort', isBroken);
    });
  } finally {
    await worker.terminate();
  }
}
