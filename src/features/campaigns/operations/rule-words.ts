import type { Rule } from '../../../domain/campaign.ts';
import { inEnglish, say } from '../../../domain/said.ts';
import { durationWords } from '../../../operations/fields/durations.ts';
import { passCountsWords, reminderWords, withinWords } from './campaign-words.ts';

/** A part of a campaign’s rule, in words that can follow each other in a sentence. */
interface RulePart {
  label: string;
  was: string;
  is: string;
  /** “due: 7 days after joining”. */
  words: string;
  /** “due: 7 days after joining (now 14 days after joining)”. */
  change: string;
}

/** The parts that differ between two rules, in the order in which a preview has them. */
export function changedParts(before: Rule, after: Rule): RulePart[] {
  return parts.flatMap(({ label, valueOf, wordsOf, changeOf }) => {
    const is = valueOf(after);
    const was = valueOf(before) ?? is;
    return is === undefined || was === undefined || inEnglish(was) === inEnglish(is)
      ? []
      : [{ label, was, is, words: wordsOf(is), change: changeOf(is, was) }];
  });
}

interface Part {
  label: string;
  /** In words; undefined where the rule has none. */
  valueOf: (rule: Rule) => string | undefined;
  wordsOf: (is: string) => string;
  changeOf: (is: string, was: string) => string;
}

const parts: readonly Part[] = [
  {
    label: 'Due',
    valueOf: ({ standing }) => (standing ? withinWords(standing) : undefined),
    wordsOf: (is) => say`due: ${is}`,
    changeOf: (is, was) => say`due: ${is} (now ${was})`,
  },
  {
    label: 'Done when',
    valueOf: ({ completeWhen }) => (completeWhen === 'passed' ? say`passed` : say`submitted`),
    wordsOf: (is) => say`done when: ${is}`,
    changeOf: (is, was) => say`done when: ${is} (now ${was})`,
  },
  {
    label: 'A pass counts',
    valueOf: ({ validity, standing }) => (validity === null ? say`for good` : passCountsWords(validity, standing)),
    wordsOf: (is) => say`a pass counts: ${is}`,
    changeOf: (is, was) => say`a pass counts: ${is} (now ${was})`,
  },
  {
    label: 'Reminders',
    valueOf: (rule) => reminderWords(rule, 0)[0] ?? say`none`,
    wordsOf: (is) => say`reminders: ${is}`,
    changeOf: (is, was) => say`reminders: ${is} (now ${was})`,
  },
  {
    label: 'Escalation',
    valueOf: ({ escalateAfterMs }) =>
      escalateAfterMs === null ? say`none` : say`${durationWords(escalateAfterMs)} after it’s due`,
    wordsOf: (is) => say`escalation: ${is}`,
    changeOf: (is, was) => say`escalation: ${is} (now ${was})`,
  },
  {
    label: 'Progress',
    valueOf: ({ board }) => (board === null ? say`in no channel` : say`in a channel`),
    wordsOf: (is) => say`progress: ${is}`,
    changeOf: (is, was) => say`progress: ${is} (now ${was})`,
  },
];

/** What changes, in words: “due: 7 days after joining (now 14 days after joining)”. */
export function changeWords(before: Rule, after: Rule): string {
  return changedParts(before, after)
    .map(({ change }) => change)
    .join('; ');
}
