import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { read } from '../support/project-files.ts';

const enough = {
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_SIGNING_SECRET: 'signing',
  QUIZ_API_URL: 'https://quiz.example',
  QUIZ_API_KEY: 'key',
};
const [, page = ''] = /### What each version asks for\n(.+?)\n## /s.exec(read('docs/operations.md'))!;
const rows = [...page.matchAll(/^\| (✓?) ?\| (.+) \|$/gm)].map(([, mark, what]) => ({ mark, what: what! }));
const rowOf = (name: string) => rows.find(({ what }) => what.includes(name))!;

test('the list of upgrades has the current version, and says what finds each', () => {
  expect([...page.matchAll(/^\*\*(\S+)\*\*$/gm)].map(([, version]) => version)).toEqual(['2.0']);
  expect(rows.length).toBeGreaterThan(8);
});

const refused = [
  'list-overdue',
  'list-due',
  'remind-people',
  'excuse-people',
  'show-rows',
  'show-rule-change',
  'order-evidence',
  'list-evidence-orders',
  'stop-evidence',
];

test.each([
  ...['GROUPS', 'QUIZ_GROUPS'].map((name) => [name, { [name]: 'Client A' }] as const),
  ...refused.map((name) => [name, { RIGHTS: `${name}:nobody` }] as const),
] as const)('%s is marked as found, and is', (name, set) => {
  expect(rowOf(name).mark).toBe('✓');
  expect(() => readConfig({ ...enough, ...set })).toThrow();
});

test.each(['show-matrix', 'remind-campaign', 'excuse-campaign'])('%s can stand in RIGHTS instead', (name) => {
  expect(rowOf(name)).toBeDefined();
  expect(readConfig({ ...enough, RIGHTS: `${name}:nobody` }).rights.size).toBe(1);
});
