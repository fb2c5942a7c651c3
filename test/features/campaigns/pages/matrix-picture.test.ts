import { expect, test } from 'vitest';
import { inEnglish } from '../../../../src/domain/said.ts';
import { colors, looks, matrixPicture } from '../../../../src/features/campaigns/pages/matrix-picture.ts';
import { matrixOf, urgencies } from '../../../../src/obligations/matrix.ts';
import type { OutgoingPicture } from '../../../../src/operations/services/files.ts';
import { languageCodes } from '../../../../src/words/languages.ts';
import {
  campaignMember,
  campaignOf,
  campaignResult,
  dayMs,
  monday,
  standingRule,
} from '../../../support/builders/campaigns.ts';
import { pseudoLanguage } from '../../../support/pseudo-language.ts';
import { renderFor } from '../../../words/in-language.ts';

const heading = 'Training matrix';
const pictureOf = (campaigns: Parameters<typeof matrixOf>[0]) =>
  matrixPicture(matrixOf(campaigns, monday), { heading, now: monday, timeZone: 'Europe/Warsaw' });
const textsOf = ({ picture }: OutgoingPicture) =>
  picture.shapes.flatMap((shape) => (shape.kind === 'text' ? [inEnglish(shape.text)] : []));

/** One person for each state, in a campaign that stands. */
const allStates = campaignOf({
  ...standingRule,
  quiz: { id: 'q-1', name: 'Fire <b>safety</b> & more' },
  members: [
    campaignMember('late', { name: 'Nora', groups: ['Kitchen'], addedAt: monday - 200 * dayMs }),
    campaignMember('soon', { name: 'Ravi\u202Eivar', groups: ['Kitchen'], addedAt: monday - 10 * dayMs }),
    campaignMember('due', { name: 'محمد بن عبد الله', groups: ['Bar'], addedAt: monday }),
    campaignMember('later', { name: 'Uma', stays: [{ from: monday + dayMs }] }),
    campaignMember('not', { name: 'Zoe', saidNotMeAt: monday }),
    campaignMember('excused', { name: 'Tom', excused: { by: 'U', reason: 'leave', at: monday - dayMs } }),
    campaignMember('marking', { name: 'Kim', result: campaignResult('unmarked', monday) }),
    campaignMember('done', { name: 'Rosa', groups: ['Kitchen', 'Bar'], result: campaignResult('passed', monday) }),
  ],
});

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(a: string, b: string): number {
  const [lighter = 0, darker = 0] = [a, b]
    .map((color) => {
      const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
        const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    })
    .toSorted((one, other) => other - one);
  return (lighter + 0.05) / (darker + 0.05);
}

test('each state has a sign of its own, which stands out from its box, and the picture from a light and a dark page', () => {
  expect(new Set(urgencies.map((urgency) => looks[urgency].path)).size).toBe(urgencies.length);
  expect(urgencies.filter((urgency) => contrast(looks[urgency].box, looks[urgency].sign) < 4.5)).toEqual([]);
  for (const color of [colors.ink, colors.faint]) expect(contrast(color, colors.paper)).toBeGreaterThan(4.5);
  for (const page of ['#ffffff', '#1a1d21']) expect(contrast(colors.edge, page)).toBeGreaterThan(3);
});

test('it says what the signs in it mean, how each group stands, and who needs something first, with names as they are', () => {
  const picture = pictureOf([allStates]);
  expect(textsOf(picture)).toEqual([
    heading,
    '⏰ 1 person is overdue or expired · ⏳ 1 has something due within a week',
    'overdue or expired',
    'due within a week',
    'says it isn’t for them',
    'due later',
    'to be marked',
    'excused',
    'done',
    'not yet due',
    'Everyone',
    ...Array<string>(8).fill('1'),
    '1 of 8 people overdue or expired',
    'Kitchen',
    '1',
    '1',
    '1',
    '1 of 3 people overdue or expired',
    'Bar',
    '1',
    '1',
    '0 of 2 people overdue or expired',
    'Fire <b>safety</b> & more',
    'Nora',
    'overdue since 21 May',
    'Ravi ivar',
    'due 27 Nov',
    'Zoe',
    'says it isn’t for them',
    'محمد بن عبد الله',
    'due 7 Dec',
    'Kim',
    'to be marked',
    'Rosa',
    'valid until 24 Nov 2027',
    'Tom',
    'excused until 23 Nov 2027',
    'Uma',
    'not yet due',
  ]);
});

test('whoever hears it hears the same', () => {
  expect(inEnglish(pictureOf([allStates]).inWords).split('\n')).toEqual([
    `${heading}. ⏰ 1 person is overdue or expired · ⏳ 1 has something due within a week`,
    'Kitchen: 1 of 3 people overdue or expired',
    'Bar: 0 of 2 people overdue or expired',
    'Nora: Fire <b>safety</b> & more overdue since 21 May',
    'Ravi ivar: Fire <b>safety</b> & more due 27 Nov',
    'Zoe: Fire <b>safety</b> & more says it isn’t for them',
    'محمد بن عبد الله: Fire <b>safety</b> & more due 7 Dec',
    ...['Kim', 'Rosa', 'Tom', 'Uma'].map((name) => `${name}: nothing to do`),
  ]);
});

test('of thousands it has those that need something first, on one page, and says how many there are', async () => {
  const campaigns = Array.from({ length: 41 }, (_, quiz) =>
    campaignOf({
      id: `c-${quiz}`,
      quiz: { id: `q-${quiz}`, name: `Quiz ${quiz} with a name of some length` },
      dueAt: monday + (quiz - 20) * dayMs,
      members: Array.from({ length: 1_000 }, (__, person) =>
        campaignMember(`u${person}`, {
          name: `Person ${person}`,
          groups: [`Group ${person % 60}`],
          ...((person + quiz) % 3 > 0 && { result: campaignResult('passed', monday - 30 * dayMs) }),
        }),
      ),
    }),
  );
  const matrix = matrixOf(campaigns, monday);
  const picture = pictureOf(campaigns);
  const texts = textsOf(picture);
  const left =
    'The picture has 15 of 60 groups, 40 of 1,000 people and 30 of 41 quizzes, those that need something first. The Excel file has all of them.';
  expect(texts.at(-1)).toBe(left);
  expect(texts.filter((text) => /^Person \d+$/.test(text))).toEqual(matrix.rows.slice(0, 40).map(({ name }) => name));
  expect(texts.filter((text) => /^Group \d+$/.test(text))).toHaveLength(15);
  expect(texts.filter((text) => text.startsWith('Quiz '))).toHaveLength(30);
  const { width, height, shapes } = picture.picture;
  const outside = shapes.filter(
    (shape) => shape.x < 0 || shape.y > height || (shape.kind !== 'line' && shape.x + shape.width > width + 170),
  );
  expect(outside).toEqual([]);
  expect(
    shapes.filter(
      (shape) => shape.kind === 'box' && (shape.x + shape.width > width || shape.y + shape.height > height),
    ),
  ).toEqual([]);
  for (const render of [pseudoLanguage, ...(await Promise.all(languageCodes.map(renderFor)))]) {
    const words = render(picture.inWords);
    expect(words.length).toBeLessThanOrEqual(1_000);
    expect(words.length).toBeGreaterThan(400);
  }
  expect(inEnglish(picture.inWords)).toMatch(/\nThe Excel file has all of them\.$/);
});
