import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { InvigilatorError } from '../../src/domain/errors.ts';

const sources = globSync('src/**/*.ts', { exclude: ['src/sandbox/**'] }).map((file) => ({
  file,
  text: readFileSync(file, 'utf8'),
}));

test('every error class of the bot has the base class, and so a code', () => {
  const strays = sources.filter(
    ({ file, text }) => file !== 'src/domain/errors.ts' && /class \w+ extends Error\b/.test(text),
  );
  expect(strays.map(({ file }) => file)).toEqual([]);
});

test('the codes are snake_case, and no two classes share one', () => {
  const codes = sources.flatMap(({ text }) =>
    [...text.matchAll(/^ {2}(?:override )?readonly code(?:: string)? = '(.*)';$/gm)].map(([, code]) => code),
  );
  expect(codes.length).toBeGreaterThan(15);
  expect(codes.filter((code) => !/^[a-z]+(_[a-z]+)*$/.test(code ?? ''))).toEqual([]);
  expect(new Set(codes).size).toBe(codes.length);
});

test('an error carries its class name, message and cause', () => {
  class OutOfPaperError extends InvigilatorError {
    readonly code = 'out_of_paper';
  }
  const cause = new Error('the tray is empty');
  expect(new OutOfPaperError('nothing to print on', { cause })).toMatchObject({
    name: 'OutOfPaperError',
    code: 'out_of_paper',
    message: 'nothing to print on',
    cause,
  });
});
