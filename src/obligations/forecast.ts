import type { Campaign } from '../domain/campaign.ts';
import { peopleOf, resultOf } from './people.ts';

/** How many people will have done what a round asks for by its due time, of those who are not excused. */
interface Forecast {
  /** In four of five such rounds, it is between these. */
  low: number;
  expected: number;
  high: number;
  of: number;
}

const peopleAtLeast = 5;
const ageAtLeastMs = 2 * 24 * 60 * 60_000;
/** Of a normal distribution, four fifths are within so many standard deviations. */
const spreadOfFourFifths = 1.28;

/**
 * What becomes of a round if people go on as they did: each who has to take it still does so with the same chance a day as those who
 * had to until now. Undefined where that says nothing: for few people, in the first days, while nobody has done it, while it cannot be
 * taken, and after the due time.
 *
 * @param now milliseconds since the epoch
 */
export function forecastOf(campaign: Campaign, now: number): Forecast | undefined {
  const { startedAt, endedAt, obstacle, rule } = campaign;
  const { dueAt } = rule;
  if (dueAt === null || endedAt !== null || obstacle !== null) return undefined;
  if (now >= dueAt || now - startedAt < ageAtLeastMs) return undefined;
  let [of, done, open, sinceStart, waitedMs] = [0, 0, 0, 0, 0];
  for (const { member, state } of peopleOf(campaign, now)) {
    if (state === 'excused' || state === 'not required') continue;
    of += 1;
    const from = Math.max(startedAt, member.stays.at(-1)!.from);
    if (state === 'open') {
      open += 1;
      waitedMs += now - from;
    } else if (state === 'complete') {
      done += 1;
      const at = resultOf(member, campaign)!.submittedAt ?? now;
      if (at > from) {
        sinceStart += 1;
        waitedMs += at - from;
      }
    }
  }
  if (of < peopleAtLeast || open === 0 || sinceStart === 0) return undefined;
  const chances = (sinceStart / waitedMs) * (dueAt - now);
  const share = 1 - Math.exp(-chances);
  // Who happens to take it, and how well the chance is known from so many.
  const deviation = Math.sqrt(open * share * (1 - share) + (open * chances * Math.exp(-chances)) ** 2 / sinceStart);
  const within = (more: number) => done + Math.round(Math.min(open, Math.max(0, more)));
  const spread = spreadOfFourFifths * deviation;
  return {
    low: within(open * share - spread),
    expected: within(open * share),
    high: within(open * share + spread),
    of,
  };
}
