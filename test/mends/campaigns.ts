import { campaigns as worlds, mendsOf, type Judge, type Mend } from './mend.ts';

const events = 'src/features/campaigns/events.ts';
const nextStep = 'src/features/campaigns/next-step.ts';
const messagesNow = 'src/features/campaigns/campaigns.ts';
const obligation = 'src/obligations/obligation.ts';
const members = 'src/obligations/people.ts';
const campaignMessages = 'src/domain/campaign-messages.ts';
const validity = 'src/obligations/validity.ts';

/** The rule against the one that is written from its page, on the days of random lives. */
const lives: Judge = { script: 'obligations', words: ['50000'], finding: /^life / };

/** Of campaigns through 60 days, of what is due when, and until when it is valid. */
export const campaigns: readonly Mend[] = [
  ...mendsOf('src/time/working-hours.ts', worlds('hours'), {
    'messages come from 9:00 on': ['const opensAtMs = 9 * hourMs;', 'const opensAtMs = 8 * hourMs;'],
  }),
  ...mendsOf('src/features/delivery/due-messages.ts', worlds('one a day'), {
    'a person gets one message a day': [
      'const lastAt = (last ?? Infinity) <= now ? last : undefined;',
      'const lastAt = undefined;',
    ],
  }),
  ...mendsOf('src/features/delivery/due-messages.ts', 'test/features/delivery/due-messages.test.ts', {
    'what is due today is asked for today': ['dueAt: firstDueAt(own, now)', 'dueAt: firstDueAt([], now)'],
  }),
  ...mendsOf('src/features/delivery/person-machine.ts', worlds('do not disturb'), {
    'no message comes during do-not-disturb': [
      "if (quietUntil !== undefined) return { kind: 'rest', until: quietUntil };",
      '',
    ],
  }),
  ...mendsOf(events, worlds('report: attempts'), {
    'an attempt that is deleted does not count any more': [
      "(away === 'no_user' || knownAt > since - listedWithinMs) &&",
      "(away === 'no_user' || knownAt > 0) &&",
    ],
  }),
  ...mendsOf(obligation, worlds('excused'), {
    'whoever is excused gets no message': ['return excuse.until ?? Infinity;', 'return excuse.until ?? 0;'],
  }),
  ...mendsOf(obligation, worlds('report: state'), {
    'an excuse ends': ['if (now < excuseEnd)', 'if (excuse !== null)'],
  }),
  ...mendsOf(members, worlds('report: result'), {
    'the result of years ago is not that of the round': [
      'return passValidUntil(submittedAt, campaign) > (dueAt ?? campaign.startedAt);',
      'return passValidUntil(submittedAt, campaign) > 0;',
    ],
  }),
  ...mendsOf(nextStep, 'test/features/campaigns/next-step.test.ts', {
    'the responses are read before the first messages': ['return mustAsk(latest(first))', 'return askedAt === 0'],
    'the responses are read before a campaign finishes': [
      'finishedAt <= now) return mustAsk(0)',
      'finishedAt <= now) return askedAt === 0',
    ],
  }),
  ...mendsOf(campaignMessages, worlds('report: messages'), {
    'what arrives as one message is one': ['.filter((at) => at !== firstAt)', ''],
    'what did not arrive is not said to have arrived': [
      'failure === null ? at : failure === notKnown ? handedAt : null;',
      'failure === notKnown ? handedAt : at;',
    ],
  }),
  {
    promise: 'nobody is asked to take a quiz that is closed',
    edits: [
      {
        file: nextStep,
        text: 'const isHeld = campaign.obstacle !== null;',
        instead: "const isHeld = campaign.id === '';",
      },
      { file: messagesNow, text: '(isAsking && campaign.obstacle !== null)', instead: 'false' },
    ],
    foundBy: worlds('quiz closed'),
  },
  ...mendsOf(nextStep, worlds('not told of an extension'), {
    'everyone who is missing hears of another due time': [
      'isToBeTold(member, obligation) ? (campaign.dueChangedAt ?? 0) : 0,',
      'isToBeTold(member, obligation) ? 0 : 0,',
    ],
  }),
  ...mendsOf(nextStep, worlds('early end'), {
    'a campaign waits a day after the last person was excused': [
      'member.excused.at + waitsAfterExcuseMs;',
      'member.excused.at + 0 * waitsAfterExcuseMs;',
    ],
  }),
  ...mendsOf('src/slack/people/addresses.ts', worlds('suspended'), {
    'whoever is suspended gets no message': [
      'if (user.suspended) return',
      "if (user.suspended && user.user_id === '') return",
    ],
  }),
  ...mendsOf('src/directory/whose-attempt.ts', worlds('report: state'), {
    'an attempt by link is that of the person with its address': [
      "byAddress.get(addressIn(email_address) ?? '')",
      'byAddress.get(email_address)',
    ],
  }),
  ...mendsOf('src/features/webhooks/inbox.ts', worlds('answer'), {
    'a webhook that is a hint is looked up until the service shows the submission': [
      'const looksAgainAfterMs = [2_000, 10_000,',
      'const looksAgainAfterMs = [',
    ],
  }),
  ...mendsOf('src/features/campaigns/monday.ts', worlds('board'), {
    'what the bot reads on Sunday is on the board': ["{ kind: 'ask' }", "{ kind: 'audience-changed', at }"],
  }),
  ...mendsOf('src/features/campaigns/messages.ts', worlds('board'), {
    'the board is brought up to date': ['return board === null ? []', 'return board === null || at % 2 === 0 ? []'],
  }),
  ...mendsOf('src/features/campaigns/next-step.ts', 'test/features/campaigns/next-step.test.ts', {
    'a campaign ends at its end': [
      "if (now >= endsAt) return mustAsk(endsAt) ? { kind: 'ask' } : { kind: 'end' };",
      '',
    ],
    'lost webhooks are found within a week': ['const asksEveryMs = weekMs', 'const asksEveryMs = 10 * weekMs'],
    'results that wait to be marked are asked for each hour': [
      '(isMarking || isHeld ? asksOftenEveryMs : asksEveryMs)',
      '(isHeld ? asksOftenEveryMs : asksEveryMs)',
    ],
  }),
  ...mendsOf('src/features/campaigns/next-step.ts', 'test/features/campaigns/campaigns.test.ts', {
    'nobody is reminded whose result may be in': [
      `return mustAsk(latest(reminders))
      ? { kind: 'ask' }
      :`,
      'return',
    ],
    'whoever is done gets no message': ['!isToBeAsked(person) || personId === null', 'personId === null'],
  }),
  ...mendsOf('src/features/campaigns/next-step.ts', 'test/features/campaigns/schedule.test.ts', {
    'a reminder before the due time comes before it': [
      'nextWorkingMoment(at, timeZone, holidays) < dueAt ? at : lastWorkingHourBefore(at, timeZone, holidays),',
      'at,',
    ],
    'reminders that come due on the day of a message are left out': [
      'while (next !== undefined && next < nextDayAt && workingMoment(next) < nextDayAt)',
      'while (next !== undefined && next < 0 && workingMoment(next) < nextDayAt)',
    ],
    'whoever asked to be reminded later is, then': ['if (snoozedUntil > sinceAt) return snoozedUntil;', ''],
  }),
  ...mendsOf('src/features/campaigns/next-step.ts', 'test/features/campaigns/standing.test.ts', {
    'a campaign that stands never finishes by itself': ['if (campaign.rule.standing !== null) return Infinity;', ''],
  }),
  ...mendsOf('src/features/campaigns/events.ts', 'test/features/campaigns/campaign-changes.test.ts', {
    'an old answer about the quiz says nothing new': ['if (at < campaign.quizKnownAt) return campaign;', ''],
  }),
  ...mendsOf(obligation, lives, {
    'an early retake never shortens what is valid': ['Math.max(latest, endOf(at))', 'endOf(at)'],
    'who leaves has nothing to do any more': ['({ to = Infinity }) => now < to', '({ from }) => from > 0'],
    'who returns has it due counted from then': [
      'Math.max(stay.from, rule.startsAt)',
      'Math.max(stays[0]!.from, rule.startsAt)',
    ],
    'after an excuse, the due time is counted from its end': ['Math.max(begin, excuseEnd);', 'begin;'],
    'an excuse without an end does not carry into the next year': [
      "excuse.until !== null || rule.kind === 'round'",
      'excuse.at > 0',
    ],
    'a round asks who has a valid pass at its due time': ["rule.kind === 'round' ? (rule.dueAt ?? now) : now", 'now'],
    'a pass that was valid when the person came in is renewed by its end at the earliest': [
      'askedAt, calendar), validEnd)',
      'askedAt, calendar), 0)',
    ],
    'what expired before the person came in is no expiry': ["validEnd > begin ? 'expired'", "validEnd > 0 ? 'expired'"],
    'who is asked to renew is so before the end': ['rule.renewDays * dayMs', '0'],
    'what waits to be marked for years is to be taken again': [
      "last?.outcome === 'unmarked' && counts(endOf(last.at))",
      "last?.outcome === 'unmarked'",
    ],
    'the latest attempt decides whether something is to be marked': [
      'latest.at > attempt.at',
      'latest.at < attempt.at',
    ],
  }),
  ...mendsOf(validity, lives, {
    'a pass is valid until the end of its last day': [
      'clock.firstMomentOf((last + 1) * dayMs)',
      'clock.firstMomentOf(last * dayMs)',
    ],
    'days are those of the lead’s clock': [
      'const day = Math.floor(clock.shownAt(passedAt) / dayMs);',
      'const day = Math.floor(passedAt / dayMs);',
    ],
    'where the month has no such day, it is the last one': ['Math.min(day, last)', 'day'],
    'a pass within the renewal time before a date for all counts until the next year': [
      'date - renewDays > day',
      'date > day',
    ],
    'nothing is due before the next working day': ['Math.max(endOfWork(last, timeZone), ', '('],
  }),
];
