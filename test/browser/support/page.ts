import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const outputFolder = new URL('../../../test-output/', import.meta.url).pathname;
const documentsFolder = new URL('../../../docs/', import.meta.url).pathname;

interface Finding {
  id: string;
  impact: string;
  nodes: string[];
}

/** Fails if axe-core finds a violation of level A or AA. @param name of a screenshot of what it looks at */
export async function expectAccessible(page: Page, name?: string): Promise<void> {
  if (name !== undefined) await keepScreenshot(page, name);
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axeSource);
  const findings = await page.evaluate<Finding[]>(`
    axe.run(document, { runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } })
      .then((results) => results.violations.map((violation) => ({ id: violation.id, impact: violation.impact, nodes: violation.nodes.map((node) => node.html.slice(0, 200) + ' ' + node.failureSummary) })))
  `);
  expect(findings).toEqual([]);
}

/** Whether this run keeps what the pages look like, for people to look at. */
const keepsPictures = process.env['PICTURES'] === 'keep';

/** Saves a screenshot of the whole page in `test-output`, if the run keeps pictures or this is of a failure. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (!keepsPictures && !name.startsWith('failed/')) return;
  await page.screenshot({ path: `${outputFolder}${name}.png`, animations: 'disabled', fullPage: true });
}

/** Fails if a phone would have to scroll sideways. Saves screenshots in light, in dark and on a phone, in a folder of their own. */
export async function keepLooks(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1200, height: 800 };
  if (keepsPictures) {
    await keepScreenshot(page, `flows/${name}-light`);
    await page.emulateMedia({ colorScheme: 'dark' });
    await keepScreenshot(page, `flows/${name}-dark`);
    await page.emulateMedia({ colorScheme: 'light' });
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await keepScreenshot(page, `flows/${name}-360`);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(size);
}

/** Saves a picture of the documents: in docs with `npm run pictures`, otherwise as a screenshot. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (process.env['PICTURES'] !== 'write') return keepScreenshot(page, `documents/${name}`);
  writeFileSync(`${documentsFolder}${name}.png`, smallerPng(await page.screenshot({ animations: 'disabled' })));
}

export const composerOf = (page: Page): Locator => page.getByRole('main').getByRole('combobox', { name: /^Message / });

/** Types and sends a command or a message. */
export async function type(page: Page, text: string): Promise<void> {
  await composerOf(page).fill(text);
  await composerOf(page).press('Enter');
}

/** Switches to another person, and waits until the workspace knows that they look at it. */
export async function actAs(page: Page, person: { id: string }): Promise<void> {
  const acting = page.getByLabel('Acting as');
  if ((await acting.inputValue()) === person.id) return;
  const follows = page.waitForResponse((response) => {
    const { pathname, searchParams } = new URL(response.url());
    return pathname === '/page/changes' && searchParams.get('as') === person.id;
  });
  await acting.selectOption(person.id);
  await follows;
}

/** Fails if the page is wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const widths = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  expect(widths[0]).toBeLessThanOrEqual(widths[1]);
}

/** Fails if the page reported an error, except for style attributes from screenshots and axe-core, which its policy blocks. */
export function expectNoProblems(problems: readonly string[]): void {
  expect(problems.filter((problem) => !problem.startsWith('Applying inline style violates'))).toEqual([]);
}

const signatureBytes = 8;
/** Length, type and checksum: https://www.w3.org/TR/png-3/#5Chunk-layout */
const chunkOverheadBytes = 12;
/** The color type of a header: https://www.w3.org/TR/png-3/#6Colour-values */
const rgba = 6;

/** Stores the pixels of a PNG, of 8 bits a channel, without filters: text on plain ground deflates better so. */
function smallerPng(png: Buffer): Buffer {
  const chunks: { kind: string; data: Buffer }[] = [];
  for (let at = signatureBytes; at < png.length;) {
    const length = png.readUInt32BE(at);
    chunks.push({ kind: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + chunkOverheadBytes;
  }
  const pixels = inflateSync(Buffer.concat(chunks.filter(({ kind }) => kind === 'IDAT').map(({ data }) => data)));
  const header = chunks[0]!.data;
  const plain = unfilter(pixels, header.readUInt32BE(0), header[9] === rgba ? 4 : 3);
  const first = chunks.findIndex(({ kind }) => kind === 'IDAT');
  const kept = chunks.filter(({ kind }) => kind !== 'IDAT');
  kept.splice(first, 0, { kind: 'IDAT', data: deflateSync(plain, { level: 9, memLevel: 9 }) });
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

function encoded({ kind, data }: { kind: string; data: Buffer }): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(typeAndData));
  return Buffer.concat([length, typeAndData, checksum]);
}
