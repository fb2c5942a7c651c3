import { expect, test } from 'vitest';
import { standardNames } from '../../src/domain/own-names.ts';
import { say } from '../../src/domain/said.ts';
import { createPictureFiles } from '../../src/slack/files.ts';
import { createRender } from '../../src/words/render.ts';
import { renderFor } from '../words/in-language.ts';

const pictureFile = createPictureFiles();
const render = createRender(standardNames);
const written = async (text: string, as = render) =>
  pictureFile(
    {
      width: 120,
      height: 40,
      shapes: [
        { kind: 'box', x: 0, y: 0, width: 120, height: 40, color: '#ffffff' },
        { kind: 'line', x: 100, y: 8, path: 'M4 8H12', color: '#000000' },
        { kind: 'text', x: 4, y: 26, width: 90, text, size: 16, color: '#000000' },
      ],
    },
    as,
  );

test('a picture becomes a PNG with two pixels for one, the same each time', async () => {
  const png = await written('Kitchen');
  expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([240, 80]);
  expect(await written('Kitchen')).toEqual(png);
});

test('its fonts have the letters of the six languages, of Arabic and of Hebrew, and emoji leave no empty box', async () => {
  // A letter that no font has is a box.
  const box = await written('\uE000');
  const letters = await Promise.all(
    ['ß', 'ł', 'œ', 'ñ', 'ĳ', 'ш', 'Ω', 'ש', 'م'].map(async (letter) => written(letter)),
  );
  expect(letters.filter((letter) => letter.equals(box))).toEqual([]);
  expect(new Set(letters.map((letter) => letter.toString('base64'))).size).toBe(letters.length);
  expect(await written('Rosa 🌹👩‍🚒 Almeida')).toEqual(await written('Rosa Almeida'));
});

test('letters of Arabic are joined, and stand from right to left', async () => {
  const joined = await written('محمد');
  expect(await written('م\u200Cح\u200Cم\u200Cد')).not.toEqual(joined);
  expect(await written('\u202Dمحمد\u202C')).not.toEqual(joined);
});

test('what is said is in the language of the reader, and a picture that can’t be drawn fails alone', async () => {
  expect(await written(say`Everyone`, await renderFor('de'))).toEqual(await written('Alle'));
  const broken = pictureFile(
    { width: 10, height: 10, shapes: [{ kind: 'line', x: 0, y: 0, path: 'no path', color: '#000000' }] },
    render,
  );
  const next = written('Kitchen');
  await expect(broken).rejects.toThrow();
  expect((await next).length).toBeGreaterThan(100);
});
