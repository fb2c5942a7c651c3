import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { createSeededRandom, type SeededRandom } from '../../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { samplePack, sampleCampaigns, sampleSigner, verifierPath, type Verifier } from './sample-pack.ts';

/** The files of a pack, by name. */
type Files = Record<string, Buffer>;

/** A change of a pack: of the ZIP file, or of the folder with its files. */
interface Change {
  what: string;
  changed: { zip: Buffer } | { files: Files };
}

/** What is to be changed, and another pack of the same bot. */
interface Packs {
  zip: Buffer;
  files: Files;
  other: Files;
}

/**
 * Makes random changes of a pack, and checks each as an auditor would.
 *
 * @param folder where the changed packs are written
 * @returns the changes that `verify.mjs` did not find
 */
export async function missedChanges(count: number, seed: number, folder: string): Promise<string[]> {
  const { check } = (await import(verifierPath.href)) as Verifier;
  const signer = await sampleSigner();
  const { content: zip } = await samplePack({ signer });
  const { content: otherZip } = await samplePack({ signer, campaigns: sampleCampaigns(9) });
  const packs = { zip, files: filesIn(zip), other: filesIn(otherZip) };
  const random = createSeededRandom(seed);
  const missed: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const { what, changed } = randomChange(random, packs);
    const path = 'zip' in changed ? join(folder, 'pack.zip') : join(folder, 'pack');
    if ('zip' in changed) writeFileSync(path, changed.zip);
    else writeFolder(path, changed.files);
    if (check(path).problems.length === 0) missed.push(`${number}: ${what}`);
  }
  return missed;
}

function filesIn(zip: Buffer): Files {
  return Object.fromEntries(Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, Buffer.from(bytes)]));
}

/** Writes only what is not there yet. */
function writeFolder(path: string, files: Files): void {
  mkdirSync(path, { recursive: true });
  for (const name of readdirSync(path)) if (!(name in files)) rmSync(join(path, name));
  const known = new Set(readdirSync(path));
  for (const [name, bytes] of Object.entries(files))
    if (!known.has(name) || !readFileSync(join(path, name)).equals(bytes)) writeFileSync(join(path, name), bytes);
}

type Kind = (random: SeededRandom, packs: Packs) => Change | undefined;

/** A change that changes nothing, such as two equal rows that change places, is another one. */
function randomChange(random: SeededRandom, packs: Packs): Change {
  for (;;) {
    const change = random.pick(kinds)(random, packs);
    if (change && !isSame(change.changed, packs)) return change;
  }
}

function isSame(changed: Change['changed'], { zip, files }: Packs): boolean {
  if ('zip' in changed) return changed.zip.equals(zip);
  const names = Object.keys(changed.files);
  return names.length === Object.keys(files).length && names.every((name) => files[name]?.equals(changed.files[name]!));
}

const kinds: readonly Kind[] = [
  (random, { zip }) => {
    const at = random.between(0, zip.length - 1);
    return { what: `a byte of the ZIP file at ${at}`, changed: { zip: withByte(zip, at, random) } };
  },
  (random, { zip }) => {
    const at = random.between(0, zip.length - 1);
    return { what: `the ZIP file cut at ${at}`, changed: { zip: zip.subarray(0, at) } };
  },
  (random, { zip }) => {
    const at = random.between(0, zip.length);
    const more = Buffer.from([random.between(0, 255)]);
    return {
      what: `a byte more in the ZIP file at ${at}`,
      changed: { zip: Buffer.concat([zip.subarray(0, at), more, zip.subarray(at)]) },
    };
  },
  inFile('a byte', (random, bytes) => withByte(bytes, random.between(0, bytes.length - 1), random)),
  inFile('a byte less', (random, bytes) => {
    const at = random.between(0, bytes.length - 1);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
  }),
  inFile('cut', (random, bytes) => bytes.subarray(0, random.between(0, bytes.length - 1))),
  inLines('a row less', (random, lines) => lines.toSpliced(random.between(0, lines.length - 1), 1)),
  inLines('a row twice', (random, lines) => {
    const at = random.between(0, lines.length - 1);
    return lines.toSpliced(at, 0, lines[at]!);
  }),
  inLines('two rows that change places', (random, lines) => {
    const [one, other] = [random.between(0, lines.length - 1), random.between(0, lines.length - 1)];
    return lines.with(one, lines[other]!).with(other, lines[one]!);
  }),
  (random, { files }) => {
    const name = random.pick(Object.keys(files));
    const { [name]: _, ...others } = files;
    return { what: `without ${name}`, changed: { files: others } };
  },
  (random, { files }) => ({
    what: 'a file more',
    changed: { files: { ...files, [`more-${random.between(1, 9)}.csv`]: Buffer.from('x') } },
  }),
  (random, { files }) => {
    const [one, other] = [random.pick(Object.keys(files)), random.pick(Object.keys(files))];
    return {
      what: `${one} and ${other} change places`,
      changed: { files: { ...files, [one]: files[other]!, [other]: files[one]! } },
    };
  },
  (random, { files, other }) => {
    const name = random.pick(Object.keys(files));
    return { what: `${name} of another pack`, changed: { files: { ...files, [name]: other[name]! } } };
  },
  (_random, { files, other }) => {
    const signed = { 'manifest.json': other['manifest.json']!, 'manifest.sig': other['manifest.sig']! };
    return { what: 'the manifest of another pack', changed: { files: { ...files, ...signed } } };
  },
];

function inFile(what: string, change: (random: SeededRandom, bytes: Buffer) => Buffer): Kind {
  return (random, { files }) => {
    const name = random.pick(Object.keys(files));
    return { what: `${what} in ${name}`, changed: { files: { ...files, [name]: change(random, files[name]!) } } };
  };
}

function inLines(what: string, change: (random: SeededRandom, lines: string[]) => string[]): Kind {
  return inFile(what, (random, bytes) => {
    const lines = bytes.toString().split(/(?<=\n)/);
    return Buffer.from(change(random, lines).join(''));
  });
}

function withByte(bytes: Buffer, at: number, random: SeededRandom): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = changed[at]! ^ random.between(1, 255);
  return changed;
}
