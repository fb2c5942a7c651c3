import type { CampaignTerms } from '../../../domain/campaign-plan.ts';
import { durationWords } from '../../../operations/fields/durations.ts';
import { plannedLanguage } from './board-language.ts';
import { passCountsWords, reminderWords, withinWords } from './campaign-words.ts';

/** A part of a campaign’s rule, in words that can follow each other in a sentence. */
export interface RulePart {
  label: string;
  was: string;
  is: string;
}

/** The parts that differ between two rules, in the order in which a preview has them. */
export function changedParts(before: CampaignTerms, after: CampaignTerms): RulePart[] {
  const was = partsOf(before);
  return Object.entries(partsOf(after)).flatMap(([label, is]) => {
    const earlier = was[label] ?? is;
    return earlier === is ? [] : [{ label, was: earlier, is }];
  });
}

function partsOf(terms: CampaignTerms): Record<string, string> {
  const { completeWhen, validity, standing, schedule, board, boardLanguage } = terms;
  const { escalateAfterMs } = schedule;
  return {
    ...(standing && { Due: withinWords(standing) }),
    'Done when': completeWhen,
    'A pass counts': validity === undefined ? 'for good' : passCountsWords(validity, standing),
    Reminders: reminderWords(terms, 0)[0] ?? 'none',
    Escalation: escalateAfterMs === undefined ? 'none' : `${durationWords(escalateAfterMs)} after it’s due`,
    Progress: board === null ? 'in no channel' : 'in a channel',
    ...(boardLanguage !== undefined && { 'Messages in the channel': plannedLanguage(boardLanguage) }),
  };
}

/** What changes, in words: “due: within 7 days of coming in (now within 14 days of coming in)”. */
export function changeWords(before: CampaignTerms, after: CampaignTerms): string {
  return changedParts(before, after)
    .map(({ label, was, is }) => `${label.toLowerCase()}: ${is} (now ${was})`)
    .join('; ');
}
