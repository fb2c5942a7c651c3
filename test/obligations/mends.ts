import { runWithout, takeOutEach, type Mend } from '../support/taken-out.ts';

const rule = 'src/obligations/obligation.ts';
const validity = 'src/obligations/validity.ts';

export const mends: readonly Mend[] = [
  {
    name: 'an early retake never shortens what is valid',
    edits: [{ file: rule, text: 'Math.max(latest, endOf(at))', instead: 'endOf(at)' }],
  },
  {
    name: 'a pass is valid until the end of its last day',
    edits: [
      { file: validity, text: 'clock.firstMomentOf((last + 1) * dayMs)', instead: 'clock.firstMomentOf(last * dayMs)' },
    ],
  },
  {
    name: 'days are those of the lead’s clock',
    edits: [
      {
        file: validity,
        text: 'const day = Math.floor(clock.shownAt(passedAt) / dayMs);',
        instead: 'const day = Math.floor(passedAt / dayMs);',
      },
    ],
  },
  {
    name: 'where the month has no such day, it is the last one',
    edits: [{ file: validity, text: 'Math.min(day, last)', instead: 'day' }],
  },
  {
    name: 'a pass within the renewal time before a date for all counts until the next year',
    edits: [{ file: validity, text: 'date - renewDays > day', instead: 'date > day' }],
  },
  {
    name: 'nothing is due before the next working day',
    edits: [{ file: validity, text: 'Math.max(endOfWork(last, timeZone), ', instead: '(' }],
  },
  {
    name: 'who leaves has nothing to do any more',
    edits: [{ file: rule, text: '({ to = Infinity }) => now < to', instead: '({ from }) => from > 0' }],
  },
  {
    name: 'who returns has it due counted from then',
    edits: [
      { file: rule, text: 'Math.max(stay.from, rule.startsAt)', instead: 'Math.max(stays[0]!.from, rule.startsAt)' },
    ],
  },
  {
    name: 'after an excuse, the due time is counted from its end',
    edits: [{ file: rule, text: 'excuseEnd > begin ? [excuseEnd]', instead: 'excuseEnd < 0 ? [excuseEnd]' }],
  },
  {
    name: 'an excuse without an end does not carry into the next year',
    edits: [
      {
        file: rule,
        text: "excuse.until !== null || rule.kind === 'round'",
        instead: 'excuse.at > 0',
      },
    ],
  },
  {
    name: 'a round asks who has a valid pass at its due time',
    edits: [{ file: rule, text: "rule.kind === 'round' ? (rule.dueAt ?? now) : now", instead: 'now' }],
  },
  {
    name: 'a pass that was valid when the person came in is renewed by its end at the earliest',
    edits: [{ file: rule, text: 'validEnd > begin ? validEnd : 0', instead: '0' }],
  },
  {
    name: 'what expired before the person came in is no expiry',
    edits: [{ file: rule, text: "validEnd > begin ? 'expired'", instead: "validEnd > 0 ? 'expired'" }],
  },
  {
    name: 'who is asked to renew is so before the end',
    edits: [{ file: rule, text: 'rule.renewDays * dayMs', instead: '0' }],
  },
  {
    name: 'what waits to be marked for years is to be taken again',
    edits: [
      {
        file: rule,
        text: "last?.outcome === 'unmarked' && counts(endOf(last.at))",
        instead: "last?.outcome === 'unmarked'",
      },
    ],
  },
  {
    name: 'the latest attempt decides whether something is to be marked',
    edits: [{ file: rule, text: 'latest.at > attempt.at', instead: 'latest.at < attempt.at' }],
  },
];

/** Takes out each mend, and prints whether the comparison finds it. @param part of the name */
export async function tryMends(part = ''): Promise<boolean> {
  return takeOutEach(
    mends.filter(({ name }) => name.includes(part)),
    async (mend) => (await runWithout(mend, 'obligations', ['50000'])).find((line) => line.startsWith('life ')),
  );
}
