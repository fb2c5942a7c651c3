import { expect, test } from 'vitest';
import { createLog } from '../../src/observability/log.ts';

function onTerminal(isColored = false) {
  const lines: string[] = [];
  return {
    lines,
    log: createLog({
      level: 'trace',
      secrets: ['very-secret'],
      terminal: { isColored },
      write: (line) => lines.push(line),
    }),
  };
}

test('a person reads time, level, message and fields on one line', () => {
  const { log, lines } = onTerminal();
  log.warn({ port: 3000, mode: 'http', name: 'two words', list: [1, 2] }, 'the bot is up');
  expect(lines).toEqual([
    expect.stringMatching(
      /^\d\d:\d\d:\d\d\.\d{3} WARN  the bot is up port=3000 mode=http name="two words" list=\[1,2\]\n$/,
    ),
  ]);
});

test('an error stands below the line with its causes', () => {
  const { log, lines } = onTerminal();
  log.error(
    { error: new Error('no answer', { cause: Object.assign(new Error('hang up'), { code: 'ECONNRESET' }) }) },
    'it failed',
  );
  const [first, second, ...others] = lines.join('').split('\n');
  expect(first).toMatch(/ERROR it failed$/);
  expect(second).toBe('    Error: no answer');
  expect(others).toContain('    Error: hang up');
  expect(others.join('\n')).toContain('(ECONNRESET)');
});

test('colours are there when they are wanted only', () => {
  const [plain, colored] = [onTerminal(), onTerminal(true)];
  for (const { log } of [plain, colored]) log.info('hello');
  expect(plain.lines.join('')).not.toContain('\u001B');
  expect(colored.lines.join('')).toContain('\u001B[32mINFO');
});

test('secrets are blotted out, and a text from outside cannot move the cursor', () => {
  const { log, lines } = onTerminal();
  log.info({ quiz: 'a\u001B[2Jb\r\nc' }, 'very-secret \u001B]0;title\u0007');
  for (const part of ['very-secret', '\u001B', '\u0007', '\r', 'b\n']) expect(lines.join('')).not.toContain(part);
});
