import { expect, test } from 'vitest';
import { say } from '../../../../src/domain/said.ts';
import { drawn } from '../../../support/draw.ts';
import { problemsOfMessage } from '../../../support/slack-limits.ts';

test.each([20, 33, 40, 60, 90])(
  'a table of names from right to left, %i letters each, fits with the marks that they get where they are sent',
  (length) => {
    const name = 'اختبار السلامة '.repeat(10).slice(0, length).trim();
    for (const cell of [name, say`⏰ ${name} ${name}`]) {
      const cells = Array.from({ length: 100 }, () => cell);
      const columns = ['Person', 'Quiz', 'Grade'].map((title) => ({ title, cells }));
      const message = drawn({
        heading: say`📋 *Attempts*`,
        parts: [{ table: { caption: say`Attempts, the last submitted first`, columns, lines: cells } }],
      });
      expect(problemsOfMessage(message)).toEqual([]);
      expect(message.blocks.some(({ type }) => type === 'data_table')).toBe(true);
    }
  },
);
