import { runWithout, takeOutEach, untilSign, type Mend } from '../support/taken-out.ts';

/** With it taken out, the worlds have to find the fault. */
interface WorldMend extends Mend {
  /** A part of the rule that is broken. */
  finds: string;
}

const events = 'src/features/campaigns/events.ts';
const nextStep = 'src/features/campaigns/next-step.ts';
const messagesNow = 'src/features/campaigns/messages-now.ts';
const obligation = 'src/obligations/obligation.ts';
const members = 'src/obligations/people.ts';
const campaignMessages = 'src/domain/campaign-messages.ts';

export const mends: readonly WorldMend[] = [
  {
    name: 'messages come from 9:00 on',
    finds: 'hours',
    edits: [
      {
        file: 'src/time/working-hours.ts',
        text: 'const opensAtMs = 9 * hourMs;',
        instead: 'const opensAtMs = 8 * hourMs;',
      },
    ],
  },
  {
    name: 'a person gets one message a day',
    finds: 'one a day',
    edits: [
      {
        file: 'src/features/delivery/due-messages.ts',
        text: 'const lastAt = (last ?? Infinity) <= now ? last : undefined;',
        instead: 'const lastAt = undefined;',
      },
    ],
  },
  {
    name: 'no message comes during do-not-disturb',
    finds: 'do not disturb',
    edits: [
      {
        file: 'src/features/delivery/person-machine.ts',
        text: "if (quietUntil !== undefined) return { kind: 'rest', until: quietUntil };",
        instead: '',
      },
    ],
  },
  {
    name: 'an attempt that is deleted does not count any more',
    finds: 'report: attempts',
    edits: [
      {
        file: events,
        text: "(away === 'no_user' || knownAt > since - listedWithinMs) &&",
        instead: "(away === 'no_user' || knownAt > 0) &&",
      },
    ],
  },
  {
    name: 'whoever is excused gets no message',
    finds: 'excused',
    edits: [
      {
        file: obligation,
        text: 'return excuse.until ?? Infinity;',
        instead: 'return excuse.until ?? 0;',
      },
    ],
  },
  {
    name: 'an excuse ends',
    finds: 'report: state',
    edits: [
      { file: obligation, text: 'excuse !== null && now < excuseEnd', instead: 'excuse !== null && now < Infinity' },
    ],
  },
  {
    name: 'a pass counts where it is valid at the due time',
    finds: 'report: state',
    edits: [{ file: obligation, text: "rule.kind === 'round' ? (rule.dueAt ?? now) : now", instead: 'now' }],
  },
  {
    name: 'the result of years ago is not that of the round',
    finds: 'report: result',
    edits: [
      {
        file: members,
        text: 'return passValidUntil(submittedAt, campaign) > (dueAt ?? campaign.startedAt);',
        instead: 'return passValidUntil(submittedAt, campaign) > 0;',
      },
    ],
  },
  {
    name: 'the responses are read before the first messages',
    finds: 'done unheard',
    edits: [{ file: nextStep, text: 'return mustAsk(latest(first))', instead: 'return askedAt === 0' }],
  },
  {
    name: 'what arrives as one message is one',
    finds: 'report: messages',
    edits: [{ file: campaignMessages, text: 'at === null || at === firstAt', instead: 'at === null' }],
  },
  {
    name: 'what did not arrive is not said to have arrived',
    finds: 'report: messages',
    edits: [
      {
        file: campaignMessages,
        text: 'failure === null ? at : failure === notKnown ? handedAt : null;',
        instead: 'failure === notKnown ? handedAt : at;',
      },
    ],
  },
  {
    name: 'nobody is asked to take a quiz that is closed',
    finds: 'quiz closed',
    edits: [
      {
        file: nextStep,
        text: 'const isHeld = campaign.obstacle !== null;',
        instead: "const isHeld = campaign.id === '';",
      },
      { file: messagesNow, text: '(isAsking && campaign.obstacle !== null)', instead: 'false' },
    ],
  },
  {
    name: 'everyone who is missing hears of another due time',
    finds: 'not told of an extension',
    edits: [
      {
        file: nextStep,
        text: 'knowsOtherDueTime(member, obligation) ? (campaign.dueChangedAt ?? 0) : 0,',
        instead: 'knowsOtherDueTime(member, obligation) ? 0 : 0,',
      },
    ],
  },
  {
    name: 'a campaign waits a day after the last person was excused',
    finds: 'early end',
    edits: [
      {
        file: nextStep,
        text: 'member.excused.at + waitsAfterExcuseMs;',
        instead: 'member.excused.at + 0 * waitsAfterExcuseMs;',
      },
    ],
  },
  {
    name: 'whoever is suspended gets no message',
    finds: 'suspended',
    edits: [
      {
        file: 'src/slack/people/addresses.ts',
        text: 'if (user.suspended) return',
        instead: "if (user.suspended && user.user_id === '') return",
      },
    ],
  },
  {
    name: 'an attempt by link is that of the person with its address',
    finds: 'report: state',
    edits: [
      {
        file: 'src/directory/whose-attempt.ts',
        text: "byAddress.get(addressIn(email_address) ?? '')",
        instead: 'byAddress.get(email_address)',
      },
    ],
  },
  {
    name: 'a webhook that is a hint is looked up until the service shows the submission',
    finds: 'answer',
    edits: [
      {
        file: 'src/features/webhooks/inbox.ts',
        text: 'const looksAgainAfterMs = [2_000, 10_000,',
        instead: 'const looksAgainAfterMs = [',
      },
    ],
  },
  {
    name: 'what the bot reads on Sunday is on the board',
    finds: 'board',
    edits: [
      {
        file: 'src/features/campaigns/monday.ts',
        text: "eventEntry({ teamId, id }, { kind: 'ask' }, at)",
        instead: "eventEntry({ teamId, id }, { kind: 'audience-changed', at }, at)",
      },
    ],
  },
  {
    name: 'the board is brought up to date',
    finds: 'board',
    edits: [
      {
        file: 'src/features/campaigns/messages.ts',
        text: 'return board === null ? []',
        instead: 'return board === null || at % 2 === 0 ? []',
      },
    ],
  },
];

/** More campaigns than a fault that is found at all needs. */
const campaignsAtMost = 400;

/** @returns what the worlds find; undefined where it is not the fault */
async function firstFinding(mend: WorldMend): Promise<string | undefined> {
  const said = await runWithout(mend, 'campaigns', [String(campaignsAtMost), `${untilSign}${mend.finds}`]);
  if (!said.some((line) => line.includes(' campaigns in '))) throw new Error(said.join('\n'));
  return said.find((line) => new RegExp(`^world \\d+[^:]*: [^:]*${mend.finds}`).test(line));
}

/**
 * Takes one mend after the other out of a copy of the sources, and prints whether the worlds find the fault.
 *
 * @param only a part of the names of the mends that are taken out
 * @returns whether each was found
 */
export function tryMends(only = ''): Promise<boolean> {
  return takeOutEach(
    mends.filter(({ name }) => name.includes(only)),
    firstFinding,
  );
}
