import { createCatalogues, createRenderIn } from '../../src/words/catalogues.ts';
import { standardNames } from '../../src/domain/own-names.ts';
import type { Render } from '../../src/words/render.ts';
import { writeTexts } from '../../src/slack/connection/outgoing.ts';
import type { Area } from './collect.ts';
import type { Sample } from './collect.ts';

/** A sample as its readers get it. */
export function sampleIn({ when, shown }: Sample, render: Render): Sample {
  return { when, shown: typeof shown === 'string' ? render(shown) : writeTexts(shown, render) };
}

export function areasIn(areas: readonly Area[], render: Render): Area[] {
  return areas.map((area) => ({ ...area, samples: area.samples.map((sample) => sampleIn(sample, render)) }));
}

/** What writes texts in a language, to readers in Berlin who are addressed formally. */
export const renderFor = createRenderIn(createCatalogues(), {
  formality: 'formal',
  names: standardNames,
  timeZone: 'Europe/Berlin',
});
