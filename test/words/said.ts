import { plainSentence } from '../../src/domain/said.ts';
import type { Area } from './collect.ts';

/** A text that a person reads, with where it comes from. */
export interface Said {
  /** The sample file and the situation. */
  where: string;
  text: string;
  /** Whether Slack shows markup and mentions in it. */
  isMarkup: boolean;
  /** Whether only screen readers say it. */
  isHeard?: boolean;
}

/** Every text of every sample, as it is sent. Ids and values that nobody sees are left out. */
export function allSaid(areas: readonly Area[]): Said[] {
  return areas.flatMap(({ name, samples }) =>
    samples.flatMap(({ when, shown }) => {
      const where = `${name}: ${when}`;
      if (typeof shown === 'string') return [{ where, text: plainSentence(shown), isMarkup: false }];
      return [
        ...('text' in shown ? [{ where, text: shown.text, isMarkup: true }] : []),
        ...textsIn(shown).map((said) => ({ where, ...said })),
      ];
    }),
  );
}

const shownKeys = new Set(['caption', 'title', 'x_label', 'y_label', 'name', 'accessibility_label', 'alt_text']);

function textsIn(value: unknown): Omit<Said, 'where'>[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  const text = 'text' in value && 'type' in value && typeof value.text === 'string' ? value.text : undefined;
  if (text !== undefined) return [{ text, isMarkup: 'type' in value && value.type === 'mrkdwn' }];
  return Object.entries(value).flatMap(([key, part]) =>
    shownKeys.has(key) && typeof part === 'string'
      ? [{ text: part, isMarkup: false, isHeard: key === 'accessibility_label' }]
      : textsIn(part),
  );
}
