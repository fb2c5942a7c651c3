import { describe, expect, test } from 'vitest';
import { inEnglish, isSaid } from '../../src/domain/said.ts';
import { languageCodes } from '../../src/words/languages.ts';
import type { Render } from '../../src/words/render.ts';
import { checkBlocks } from '../../src/sandbox/workspace/block-kit/validate.ts';
import { pseudoLanguage, pseudoRightToLeft } from '../support/pseudo-language.ts';
import { collectSamples } from './collect.ts';
import { sampleIn, renderFor } from './in-language.ts';
import type { Sample } from './sample.ts';

const samples = (await collectSamples()).flatMap(({ name, samples: all }) =>
  all.map((sample) => ({ ...sample, when: `${name}: ${sample.when}` })),
);

/** What the workspace refuses of a sample: in its blocks, and in the title and buttons of a modal. */
function problemsOf({ when, shown }: Sample): string[] {
  if (typeof shown === 'string') return [];
  const surface = 'type' in shown ? shown.type : 'message';
  const { errors = [] } = checkBlocks(JSON.parse(JSON.stringify(shown.blocks)), { surface });
  const labels = 'type' in shown && shown.type === 'modal' ? [shown.title, shown.submit, shown.close] : [];
  const long = labels.flatMap((label) => (label && label.text.length > 24 ? [`“${label.text}” is too long`] : []));
  return [...errors, ...long].map((problem) => `${when}: ${problem}`);
}

const readers: [string, Render][] = [
  ...(await Promise.all(languageCodes.map(async (code): Promise<[string, Render]> => [code, await renderFor(code)]))),
  ['a language a third longer', pseudoLanguage],
  ['a language from right to left', pseudoRightToLeft],
];

describe.each(readers)('in “%s”', (_name, render) => {
  test('the workspace takes every sample', () => {
    expect(samples.flatMap((sample) => problemsOf(sampleIn(sample, render)))).toEqual([]);
  });

  test('no mark is left', () => {
    const left = samples.filter((sample) => isSaid(JSON.stringify(visibleOf(sampleIn(sample, render)))));
    expect(left.map(({ when }) => when)).toEqual([]);
  });
});

/** Without the values of buttons, which keep marks until they are sent. */
function visibleOf({ shown }: Sample): unknown {
  return JSON.parse(
    JSON.stringify(shown, (key, value: unknown) =>
      /^(?:value|private_metadata|initial_value)$/.test(key) ? undefined : value,
    ),
  );
}

test('titles of modals are whole in every language', async () => {
  const cut = await Promise.all(
    languageCodes.map(async (code) => {
      const render = await renderFor(code);
      return samples.flatMap(({ when, shown }) => {
        if (typeof shown === 'string' || !('type' in shown) || shown.type !== 'modal') return [];
        const title = render(shown.title.text, 'label');
        return title.length > 24 && code !== 'en' && inEnglish(shown.title.text).length <= 24
          ? [`${code}: ${title} (${when})`]
          : [];
      });
    }),
  );
  expect([...new Set(cut.flat())]).toEqual([]);
});

test('what a chart’s lines and bars are called is whole in every language', async () => {
  const cut = await Promise.all(
    languageCodes.map(async (code) => {
      const render = await renderFor(code);
      return samples.flatMap((sample) => namesInCharts(sampleIn(sample, render)).map((name) => `${code}: ${name}`));
    }),
  );
  const all = new Set(cut.flat());
  expect(all.size).toBeGreaterThan(0);
  expect([...all].filter((name) => name.endsWith('…'))).toEqual([]);
});

function namesInCharts({ shown }: Sample): string[] {
  if (typeof shown === 'string') return [];
  return shown.blocks.flatMap((block) => {
    const { chart } = block as { chart?: { series?: readonly { name: string }[] } };
    return chart?.series?.map(({ name }) => name) ?? [];
  });
}
