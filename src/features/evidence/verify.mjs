#!/usr/bin/env node
// Checks a pack of evidence that Invigilator made. It needs Node 18 or later, and nothing else:
//
//   node verify.mjs PACK.zip|FOLDER [FINGERPRINT]
//
// It checks, in this order:
//   1. the ZIP file: nothing in it was changed since it was signed
//   2. manifest.sig: manifest.json was signed with the key in keys.json, which has the fingerprint
//   3. each file has the size and the SHA-256 that manifest.json says; none is missing, none was added
//   4. record.jsonl: each entry of the audit trail follows from the one before, and says what stands beside it
//   5. the counts of manifest.json and summary.html follow from the rows of the tables
//
// It says in words what is wrong, and ends with exit code 1; where nothing is, with 0.
import { createDecipheriv, createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';

/** The columns of each table whose values are counted, and under which names. */
const countedColumns = {
  population: {},
  obligations: {
    stateAtEnd: 'State at the end of the period',
    stateNow: 'State now',
    late: 'Late',
    reached: 'Can get messages',
  },
  messages: { result: 'Result' },
  results: { result: 'Result' },
  excuses: { kind: 'Kind' },
};
/** Version 1.7 of the bot made packs of the first. They have each table as .json, too. */
const formats = new Set(['invigilator-evidence-1', 'invigilator-evidence-2']);
const signaturePattern = /^[A-Za-z0-9+/]{86}==$/;
/** What macOS and Windows put into a folder that somebody opens. */
const madeByComputers = /^(?:\.DS_Store|\._.*|Thumbs\.db|desktop\.ini)$/i;
const sealPattern = /^invigilator-seal:([A-Za-z0-9+/]{86}==)$/;

/** Of the check that runs. */
let [problems, findings] = [[], []];

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const checked = check(process.argv[2] ?? here, process.argv[3]);
  const wrong = checked.problems.slice(0, 20).map((problem) => `WRONG  ${problem}`);
  const more = checked.problems.length > 20 ? [`       and ${checked.problems.length - 20} more.`] : [];
  const lines = wrong.length > 0 ? [...wrong, ...more, '', 'This is not the pack that was made.'] : checked.findings;
  process.stdout.write(`${lines.map(printable).join('\n')}\n`);
  if (checked.problems.length > 0) process.exitCode = 1;
}

/**
 * Checks a pack, which is whole where there are no problems.
 *
 * @param {string} path of a ZIP file or a folder
 * @param {string | undefined} fingerprint of the key that should have signed it
 * @returns {{ problems: string[], findings: string[] }} sentences
 */
export function check(path, fingerprint) {
  [problems, findings] = [[], []];
  try {
    checkPack(path, fingerprint);
  } catch (error) {
    problems.push(`It can’t be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
  return { problems, findings };
}

function checkPack(from, wanted) {
  const pack = statSync(from).isDirectory() ? readFolder(from) : readZip(readFileSync(from));
  const { files } = pack;
  const manifest = readManifest(files);
  const key = readKey(files, manifest, wanted);
  if (key === undefined) return;
  checkSignature(files, key);
  if (pack.seal !== undefined) checkSeal(pack.seal, key);
  checkFiles(files, manifest);
  const record = checkRecord(files, manifest);
  const counts = countRows(files);
  checkCounts(counts, manifest);
  checkSummary(files, counts, manifest);
  if (problems.length > 0) return;
  findings.push(
    `RIGHT  ${manifest.files.length + 2} files, each as it was signed.`,
    `RIGHT  ${record.entries} entries of the audit trail follow one from the other, up to entry ${record.head.position}.`,
    ...(record.closed === 0
      ? []
      : [`       ${record.closed} texts in them are of people who were erased, and can’t be read.`]),
    'RIGHT  Every count follows from its rows.',
    '',
    `About ${manifest.about}, ${manifest.since} to ${manifest.until}, made ${manifest.made} for ${manifest.askedBy}.`,
    `Signed with the key ${manifest.key}`,
    wanted === undefined
      ? 'Whose key that is, this check can’t know: compare it with /quiz-admin status, or give it as the second argument.'
      : 'That is the key that you gave.',
  );
}

/** Texts from outside could move the cursor of a terminal, or turn the direction of what follows. */
function printable(text) {
  return text.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, ' ');
}

// ---- Where the files are

function readFolder(folder) {
  const files = new Map();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile() && madeByComputers.test(entry.name))
      findings.push(`       ${entry.name} is no file of the pack: a computer that showed this folder made it.`);
    else if (entry.isFile()) files.set(entry.name, readFileSync(join(folder, entry.name)));
    else problems.push(`${entry.name} is no file of a pack.`);
  }
  return { files };
}

/** Reads the files by the directory at the end, as https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT has it. */
function readZip(zip) {
  const files = new Map();
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end === -1) throw new Error('this is neither a folder nor a ZIP file');
  const [count, at] = [zip.readUInt16LE(end + 10), zip.readUInt32LE(end + 16)];
  let offset = at;
  for (let number = 0; number < count; number += 1) {
    if (zip.readUInt32LE(offset) !== 0x02014b50) throw new Error('the directory of the ZIP file is damaged');
    const [method, packedSize, size] = [
      zip.readUInt16LE(offset + 10),
      zip.readUInt32LE(offset + 20),
      zip.readUInt32LE(offset + 24),
    ];
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => zip.readUInt16LE(offset + field));
    const local = zip.readUInt32LE(offset + 42);
    const name = zip.toString('utf8', offset + 46, offset + 46 + nameLength);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const packed = zip.subarray(start, start + packedSize);
    if (files.has(name)) problems.push(`${name} is in the ZIP file twice.`);
    try {
      files.set(name, method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) }));
    } catch {
      problems.push(`${name} can’t be unpacked: its bytes were changed.`);
    }
    offset += 46 + nameLength + extraLength + commentLength;
  }
  // The seal covers everything before itself: also what no file holds, such as names and dates.
  const comment = zip.toString('latin1', end + 22);
  return { files, seal: { comment, sha256: sha256Of(zip.subarray(0, end + 22)) } };
}

// ---- Signatures

function readManifest(files) {
  const bytes = files.get('manifest.json');
  if (bytes === undefined) throw new Error('there is no manifest.json');
  const manifest = JSON.parse(bytes.toString());
  if (!formats.has(manifest.format)) throw new Error(`this check doesn’t know the format ${manifest.format}`);
  return manifest;
}

/** The public key that manifest.json names, if its fingerprint is right. */
function readKey(files, manifest, wanted) {
  const { keys } = JSON.parse((files.get('keys.json') ?? '{"keys":[]}').toString());
  const known = keys.find(({ fingerprint }) => fingerprint === manifest.key);
  if (known === undefined) {
    problems.push(`keys.json lacks the key ${manifest.key}, with which manifest.json says it was signed.`);
    return undefined;
  }
  const der = Buffer.from(known.publicKey, 'base64');
  if (sha256Of(der) !== known.fingerprint)
    problems.push('keys.json: the key doesn’t have the fingerprint that stands beside it.');
  if (wanted !== undefined && plain(wanted) !== known.fingerprint)
    problems.push(`It was signed with another key: ${known.fingerprint}, and you gave ${plain(wanted)}.`);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}

function plain(fingerprint) {
  return fingerprint.toLowerCase().replace(/[^0-9a-f]/g, '');
}

function checkSignature(files, key) {
  const text = (files.get('manifest.sig') ?? '').toString();
  const isSigned = text.endsWith('\n') && isSignature(text.slice(0, -1), files.get('manifest.json'), key);
  if (!isSigned) problems.push('manifest.sig is no signature of manifest.json with this key: one of them was changed.');
}

function checkSeal({ comment, sha256 }, key) {
  const [, signature] = sealPattern.exec(comment) ?? [];
  if (signature === undefined)
    problems.push(
      'The ZIP file was packed by something else than the bot. Unpack it into an empty folder, and check that.',
    );
  else if (!isSignature(signature, Buffer.from(sha256), key))
    problems.push('The ZIP file isn’t byte for byte the one that was signed.');
}

/** Other texts can stand for the same bytes: only the usual one counts. */
function isSignature(text, bytes, key) {
  if (!signaturePattern.test(text)) return false;
  const signature = Buffer.from(text, 'base64');
  return signature.toString('base64') === text && verify(null, bytes, key, signature);
}

// ---- Files

function checkFiles(files, manifest) {
  const listed = new Set(['manifest.json', 'manifest.sig']);
  for (const { name, size, sha256 } of manifest.files) {
    listed.add(name);
    const bytes = files.get(name);
    if (bytes === undefined) problems.push(`${name} is missing.`);
    else if (bytes.length !== size) problems.push(`${name} has ${bytes.length} bytes, and had ${size}.`);
    else if (sha256Of(bytes) !== sha256) problems.push(`${name} was changed.`);
  }
  for (const name of files.keys()) if (!listed.has(name)) problems.push(`${name} was added.`);
}

function sha256Of(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

// ---- The record

/** Each hash covers the text of its entry and the hash before it. Entries about something else are given by their last hash. */
function checkRecord(files, { record }) {
  let [position, hash, entries, closed] = [0, '', 0, 0];
  for (const [index, line] of linesOf(files.get('record.jsonl')).entries()) {
    const where = `record.jsonl, line ${index + 1}`;
    const link = parsed(line);
    if (link === undefined) {
      problems.push(`${where}: it can’t be read.`);
      return { entries, closed, head: { position, hash } };
    }
    const isEntry = link.text !== undefined;
    const first = isEntry ? link.position : link.from;
    if (first !== position + 1) problems.push(`${where}: entry ${position + 1} should come here, and ${first} does.`);
    if (isEntry && link.hash !== sha256Of(`${hash}\n${link.text}`))
      problems.push(`${where}: entry ${link.position} doesn’t follow from the one before. One of them was changed.`);
    if (isEntry) entries += 1;
    if (isEntry) closed += checkOpenings(link, where);
    [position, hash] = [isEntry ? link.position : link.to, link.hash];
  }
  if (position !== record.head.position || hash !== record.head.hash)
    problems.push(`record.jsonl ends with entry ${position}, and manifest.json says ${record.head.position}.`);
  if (entries !== record.entries)
    problems.push(`record.jsonl has ${entries} entries, and manifest.json says ${record.entries}.`);
  return { entries, closed, head: { position, hash } };
}

/**
 * Names and words in an entry are sealed with AES-256-GCM, and a mark stands for them in its text. Beside it stands what opens each
 * seal, and what it says: “\uE0000.1\uE001” is the second text of the first seal. A person who was erased has nothing there.
 *
 * @returns the number of seals that stay closed
 */
function checkOpenings({ position, text, openings = [] }, where) {
  const seals = parsed(text)?.sealed ?? [];
  if (openings.length !== seals.length)
    problems.push(`${where}: entry ${position} has ${seals.length} seals, and ${openings.length} openings.`);
  for (const [index, opening] of openings.entries())
    if (opening !== null && !opens(opening, seals[index]))
      problems.push(`${where}: what stands beside entry ${position} isn’t what was sealed in it.`);
  return openings.filter((opening) => opening === null).length;
}

function opens({ key, texts }, seal) {
  try {
    const bytes = Buffer.from(seal.data, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64'), bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(-16));
    const sealed = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString();
    return sealed === JSON.stringify(texts);
  } catch {
    return false;
  }
}

function linesOf(bytes = Buffer.alloc(0)) {
  return bytes
    .toString()
    .split('\n')
    .filter((line) => line !== '');
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// ---- The tables

/** @returns the counts that follow from the rows, by campaign */
function countRows(files) {
  const counts = {};
  for (const [table, counted] of Object.entries(countedColumns)) {
    const [titles = [], ...rows] = parseCsv((files.get(`${table}.csv`) ?? '').toString());
    for (const row of rows) {
      const cellOf = (title) => row[titles.indexOf(title)] ?? '';
      const ofCampaign = (counts[cellOf('Campaign')] ??= {});
      // Packs of 1.7 do not have all of these columns.
      const known = Object.entries(counted).filter(([, title]) => titles.includes(title));
      const values = known.map(([name, title]) => `${table} ${name} ${cellOf(title)}`);
      for (const name of [table, ...values]) ofCampaign[name] = (ofCampaign[name] ?? 0) + 1;
    }
  }
  return counts;
}

/** As RFC 4180 has it. */
function parseCsv(text) {
  /** @type {string[][]} */
  const rows = [[]];
  for (const [, quoted, bare, end] of text
    .replace(/^\uFEFF/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1).push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
    if (end === '') break;
  }
  return rows.slice(0, -1);
}

function checkCounts(counts, manifest) {
  const named = new Set([...Object.keys(counts), ...Object.keys(manifest.counts)]);
  for (const campaign of named)
    for (const name of new Set([
      ...Object.keys(counts[campaign] ?? {}),
      ...Object.keys(manifest.counts[campaign] ?? {}),
    ])) {
      const [follows, said] = [counts[campaign]?.[name] ?? 0, manifest.counts[campaign]?.[name] ?? 0];
      if (follows !== said) problems.push(`manifest.json counts ${said} of “${name}”, and the rows are ${follows}.`);
    }
}

/** The cells of the summary that count say what of. */
function checkSummary(files, counts, { campaigns }) {
  const page = (files.get('summary.html') ?? '').toString();
  const cells = [...page.matchAll(/<td data-campaign="([^"]*)" data-count="([^"]*)">(\d+)<\/td>/g)];
  for (const [, campaign, name, shown] of cells) {
    const follows = counts[campaign]?.[name] ?? 0;
    if (follows !== Number(shown))
      problems.push(`summary.html says ${shown} of “${name}”, and the rows are ${follows}.`);
  }
  for (const { id, quiz } of campaigns)
    if (!cells.some(([, campaign]) => campaign === id)) problems.push(`summary.html lacks the campaign for ${quiz}.`);
}
