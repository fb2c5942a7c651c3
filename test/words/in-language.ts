import { toEnglish, type Translate } from '../../src/words/to-english.ts';
import { createCatalogues } from '../../src/words/catalogues.ts';
import type { Language } from '../../src/words/languages.ts';
import { createTranslateTo } from '../../src/words/translators.ts';
import { changeShownTexts } from '../../src/slack/shown-texts.ts';
import type { Area } from './collect.ts';
import type { Sample } from './sample.ts';

/** A sample as its readers get it. */
export function sampleIn({ when, shown }: Sample, translate: Translate): Sample {
  return { when, shown: typeof shown === 'string' ? translate(shown) : changeShownTexts(shown, translate) };
}

export function areasIn(areas: readonly Area[], translate: Translate): Area[] {
  return areas.map((area) => ({ ...area, samples: area.samples.map((sample) => sampleIn(sample, translate)) }));
}

const translateTo = createTranslateTo(createCatalogues(), 'formal');

export const translateFor = async (language: Language): Promise<Translate> =>
  language === 'en' ? toEnglish : translateTo(language);
