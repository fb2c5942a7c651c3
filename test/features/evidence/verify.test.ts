import { execFileSync } from 'node:child_process';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { nextLink } from '../../../src/domain/audit-chain.ts';
import { runs } from '../../support/drawn.ts';
import { seed } from '../../support/seeded-random.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { missedChanges } from './changes.ts';
import { sampleLinks, samplePack, sampleSigner, sharedKeys, verifierPath, type Verifier } from './sample-pack.ts';

const { check } = (await import(verifierPath.href)) as Verifier;

async function writtenPack(options?: Parameters<typeof samplePack>[0]): Promise<string> {
  const path = join(temporaryDirectory(), 'pack.zip');
  writeFileSync(path, (await samplePack(options)).content);
  return path;
}

/** Unpacks a pack. @returns the folder */
function unpacked(zip: string): string {
  const folder = temporaryDirectory();
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(zip)))) writeFileSync(join(folder, name), bytes);
  return folder;
}

test('a pack is whole as a ZIP file and as a folder, and says with which key it was signed', async () => {
  const signer = await sampleSigner();
  const zip = await writtenPack({ signer });
  const [{ fingerprint }] = signer.keys;
  const shown = fingerprint.toUpperCase().replaceAll(/.{4}/g, '$& ');
  for (const path of [zip, unpacked(zip)])
    for (const given of [undefined, fingerprint, shown])
      expect(check(path, given)).toEqual({
        problems: [],
        findings: expect.arrayContaining([`Signed with the key ${fingerprint}`]) as string[],
      });
});

test('files that a computer puts into the unpacked folder are named, and make it no forgery', async () => {
  const folder = unpacked(await writtenPack());
  for (const name of ['.DS_Store', '._summary.html', 'Thumbs.db']) writeFileSync(join(folder, name), 'view');
  const { problems, findings } = check(folder);
  expect(problems).toEqual([]);
  for (const name of ['.DS_Store', '._summary.html', 'Thumbs.db'])
    expect(findings.join('\n')).toContain(
      `${name} is no file of the pack: a computer that showed this folder made it.`,
    );
  writeFileSync(join(folder, 'more.csv'), '');
  expect(check(folder).problems.join()).toContain('more.csv');
});

test('a pack that is signed with another key than the given one is none', async () => {
  const { keys } = await sampleSigner();
  expect(check(await writtenPack(), keys[0].fingerprint).problems.join()).toContain('It was signed with another key');
});

test('the pack holds the very program that checks it, which Node runs alone', async () => {
  const zip = await writtenPack();
  const folder = unpacked(zip);
  expect(readFileSync(join(folder, 'verify.mjs'))).toEqual(readFileSync(verifierPath));
  const run = (...parameters: string[]) =>
    execFileSync(process.execPath, parameters, { cwd: folder, env: {}, encoding: 'utf8' });
  expect(run('verify.mjs', zip)).toContain('RIGHT  Every count follows from its rows.');
  expect(run('verify.mjs')).toContain('RIGHT  14 files');
  writeFileSync(join(folder, 'excuses.csv'), 'Campaign\r\n');
  expect(() => run('verify.mjs')).toThrow(expect.objectContaining({ status: 1 }) as Error);
});

test('says which table was changed, and what isn’t counted right any more', async () => {
  const folder = unpacked(await writtenPack());
  const path = join(folder, 'obligations.csv');
  writeFileSync(path, readFileSync(path, 'utf8').replace(',overdue,', ',done,'));
  const { problems } = check(folder);
  expect(problems).toContainEqual(expect.stringMatching(/^obligations\.csv has \d+ bytes, and had \d+\.$/));
  expect(problems).toContainEqual(
    expect.stringMatching(/^manifest\.json counts \d+ of “obligations stateAtEnd overdue”, and the rows are \d+\.$/),
  );
});

test('a pack of version 1.7, which has its tables as JSON, too, is whole', async () => {
  const signer = await sampleSigner();
  const folder = unpacked(await writtenPack({ signer }));
  const table = Buffer.from('[]');
  writeFileSync(join(folder, 'excuses.json'), table);
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { files: object[] };
  const sha256 = createHash('sha256').update(table).digest('hex');
  const files = [...manifest.files, { name: 'excuses.json', size: table.length, sha256 }];
  const signed = Buffer.from(JSON.stringify({ ...manifest, format: 'invigilator-evidence-1', files }));
  writeFileSync(join(folder, 'manifest.json'), signed);
  writeFileSync(join(folder, 'manifest.sig'), `${signer.sign(signed)}\n`);
  expect(check(folder).problems).toEqual([]);
  writeFileSync(join(folder, 'excuses.json'), '[ ]');
  expect(check(folder).problems).toEqual(['excuses.json has 3 bytes, and had 2.']);
});

test('says where what stands beside an entry isn’t what was sealed in it', async () => {
  const folder = unpacked(await writtenPack());
  const path = join(folder, 'record.jsonl');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"texts":["Rosa"]', '"texts":["Rita"]'));
  expect(check(folder).problems).toContainEqual(
    'record.jsonl, line 1: what stands beside entry 1 isn’t what was sealed in it.',
  );
});

test('a pack made after a person was erased is whole, and says that their names can’t be read', async () => {
  const path = await writtenPack({ erased: ['user/u-1'] });
  expect(check(path)).toMatchObject({
    problems: [],
    findings: expect.arrayContaining([
      '       14 texts in them are of people who were erased, and can’t be read.',
    ]) as string[],
  });
  expect(readFileSync(join(unpacked(path), 'record.jsonl'), 'utf8')).not.toContain('Rosa');
});

test('a record that was broken before the pack was made is found, though the pack is signed', async () => {
  const links = sampleLinks();
  links[3] = { ...nextLink(links[1]!, links[3]!.text), position: 4 };
  expect(check(await writtenPack({ links })).problems).toContainEqual(
    'record.jsonl, line 3: entry 4 doesn’t follow from the one before. One of them was changed.',
  );
});

test('a ZIP file that something else packed is refused, and its folder is whole', async () => {
  const path = await writtenPack();
  const again = join(temporaryDirectory(), 'again.zip');
  writeFileSync(again, zipSync(unzipSync(readFileSync(path))));
  expect(check(again).problems).toEqual([
    'The ZIP file was packed by something else than the bot. Unpack it into an empty folder, and check that.',
  ]);
  expect(check(unpacked(again)).problems).toEqual([]);
});

test('what is no pack is said to be none', () => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'a.txt'), 'x');
  expect(check(folder).problems).toEqual(['It can’t be read: there is no manifest.json.']);
  expect(check(join(folder, 'a.txt')).problems).toEqual(['It can’t be read: this is neither a folder nor a ZIP file.']);
  expect(check(join(folder, 'nowhere')).problems).toHaveLength(1);
});

test('names of people can’t write over the terminal of the person who checks', async () => {
  const path = await writtenPack({ head: { askedBy: '\u001B[2J\u202EAda' } });
  const shown = execFileSync(process.execPath, [fileURLToPath(verifierPath), path], { encoding: 'utf8' });
  expect(shown).toContain('Ada');
  for (const sign of ['\u001B', '\u202E']) expect(shown).not.toContain(sign);
});

test('finds each of many random changes', async () => {
  expect(await missedChanges(runs(400), seed, temporaryDirectory())).toEqual([]);
});

test('instances that start together share one key', async () => {
  const instance = sharedKeys();
  const [one, other] = await Promise.all([instance(1_000), instance(1_001)]);
  expect(one.keys).toHaveLength(1);
  expect(other.keys).toEqual(one.keys);
});

test('the public key verifies what the private one signed', async () => {
  const { keys, sign } = await sharedKeys()(1_000);
  const [{ publicKey }] = keys;
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  expect(verify(null, Buffer.from('a'), key, Buffer.from(sign(Buffer.from('a')), 'base64'))).toBe(true);
  expect(verify(null, Buffer.from('b'), key, Buffer.from(sign(Buffer.from('a')), 'base64'))).toBe(false);
});

test('a key is replaced once when its time comes, and the public half before it stays known with its time', async () => {
  const instance = sharedKeys();
  const before = await instance(1_000);
  expect((await instance(2_000, 4_000)).keys).toEqual(before.keys);
  const after = await instance(5_000, 4_000);
  expect(after.keys[0].fingerprint).not.toBe(before.keys[0].fingerprint);
  expect(after.keys.slice(1)).toEqual([{ ...before.keys[0], until: 5_000 }]);
  expect((await instance(6_000, 4_000)).keys).toEqual(after.keys);
});

test('the private half is in nothing that a signer gives', async () => {
  const signer = await sharedKeys()(1_000);
  expect(JSON.stringify(signer)).not.toMatch(/private|MC4CAQAw/);
});
