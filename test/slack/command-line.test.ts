import { describe, expect, test } from 'vitest';
import { catalog } from '../../src/operations/catalog.ts';
import { parseCommandLine } from '../../src/slack/command-line.ts';

const parse = (text: string) => parseCommandLine(catalog, '/quiz', text);

describe('a command line', () => {
  test.each(['', '  ', 'help', 'HELP'])('“%s” asks for help', (text) => {
    expect(parse(text)).toEqual({ kind: 'help' });
  });

  test.each([
    ['close Fire safety basics', 'Fire safety basics'],
    ['CLOSE   Fire safety', 'Fire safety'],
    ['close "Fire safety"', 'Fire safety'],
    ['close “Fire safety”', 'Fire safety'],
    ['close „Fire safety“', 'Fire safety'],
    ['close «Fire safety»', 'Fire safety'],
    ['close ‘Fire safety’', 'Fire safety'],
    ["close Trainer's quiz", "Trainer's quiz"],
    ['close &lt;!channel&gt; &amp; more', '<!channel> & more'],
    ['close <https://x.example|x.example>', 'x.example'],
    ['close <https://x.example/a>', 'https://x.example/a'],
    ['close', ''],
  ])('“%s” names the quiz “%s”', (text, quiz) => {
    expect(parse(text)).toMatchObject({ kind: 'operation', operation: { name: 'close-quiz' }, raw: { quiz } });
  });

  test('with a verb that does not exist says which', () => {
    expect(parse('clsoe Fire safety')).toEqual({ kind: 'unknown', verb: 'clsoe' });
  });

  test('of another command does not reach this one’s operations', () => {
    expect(parseCommandLine(catalog, '/quiz-user', 'close x')).toEqual({ kind: 'unknown', verb: 'close' });
  });
});
