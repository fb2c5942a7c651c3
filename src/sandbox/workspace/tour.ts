import type { Core } from './core.ts';
import type { Message, TourProgress } from './model.ts';
import type { PageState } from './page-contract.ts';
import { botUserId, channels, people } from './people.ts';
import type { State } from './state.ts';

interface Step {
  title: string;
  /** In mrkdwn. */
  text: string;
  /** Whether it has happened, by what the workspace sees. @param said what the bot has said since the start */
  hasHappened(core: Core, said: readonly Message[], progress: TourProgress): boolean;
}

const saysIn = (said: readonly Message[], words: RegExp, channel?: string): boolean =>
  said.some((message) => (channel === undefined || message.channel === channel) && words.test(textOf(message)));

const textOf = ({ text, blocks }: Message): string => `${text} ${JSON.stringify(blocks ?? [])}`;

/** The steps of the README’s tour. */
const steps: readonly Step[] = [
  {
    title: 'Remind who’s missing',
    text: 'The board in `#training` is in its fourth day. Press *Remind now* on it.',
    hasHappened: (_, said) => saysIn(said, /Scheduled reminders/),
  },
  {
    title: 'Change something',
    text: 'Press ⚡ and choose *Close a quiz*, or type `/quiz close data protection`.',
    // A form tells it in itself, and the record in `#training-leads` tells it of every way.
    hasHappened: (_, said) => saysIn(said, /\bclosed \*/i),
  },
  {
    title: 'Approve a request',
    text: 'Uma asks to suspend Rosa. Act as Ada, and press *Approve* in `#training-leads`.',
    hasHappened: ({ state }, _, { sinceTs }) =>
      state.messages.some(
        (message) =>
          message.channel === channels.leads.id &&
          (message.editedTs ?? '') > sinceTs &&
          /approved/i.test(textOf(message)),
      ),
  },
  {
    title: 'Subscribe a channel',
    text: 'In `#training`, type `/quiz-alerts subscribe all digest hourly`.',
    hasHappened: (_, said) => saysIn(said, /subscribed this channel/i),
  },
  {
    title: 'Take a quiz',
    text: 'Act as Ravi, and follow *Take a quiz*. His result arrives in `#quiz-results`.',
    hasHappened: (_, said) =>
      said.some(({ channel, onlyFor }) => channel === channels.results.id && onlyFor === undefined),
  },
  {
    title: 'Skip to the deadline',
    text: 'The bot reminds who is missing, and the board shows who is overdue.',
    hasHappened: (_, said) => saysIn(said, /Overdue/, channels.training.id),
  },
  {
    title: 'Run a workflow',
    text: 'In *Workflow Builder*, publish the workflow as Ada, and press *Join #new-hires*.',
    // The new hire has a user, and the quiz.
    hasHappened: ({ state }) =>
      state.workflowRuns.some(
        ({ executionIds }) => executionIds.filter((id) => state.executions.get(id)?.state === 'completed').length >= 2,
      ),
  },
  {
    title: 'See why people fail',
    text: 'As Tom, type `/quiz questions workplace safety`: the question that most got wrong comes first.',
    hasHappened: (_, said) => saysIn(said, /\d chose \*/),
  },
];

/** The titles of the steps, in their order. */
export const tourTitles = steps.map(({ title }) => title);

/** The tour as the page shows it. Steps that have happened stay so. */
export function shownTour(core: Core): PageState['tour'] {
  const { tour: progress } = core.state;
  if (progress === undefined) return null;
  const said = [...core.state.messages, ...core.state.ephemerals.all()].filter(
    ({ user, ts, editedTs }) => user === botUserId && (ts > progress.sinceTs || (editedTs ?? '') > progress.sinceTs),
  );
  for (const { title, hasHappened } of steps)
    if (!progress.done.includes(title) && hasHappened(core, said, progress)) progress.done.push(title);
  return {
    start: { person: people.tom.id, channel: channels.training.id },
    steps: steps.map(({ title, text }) => ({ title, text, isDone: progress.done.includes(title) })),
  };
}

/** The next due time that a board of the bot shows, in milliseconds since 1970. */
export function nextDeadline(state: State, nowMs: number): number | null {
  const times = state.messages
    .filter(({ user, channel }) => user === botUserId && !channel.startsWith('D'))
    .flatMap((message) => [...textOf(message).matchAll(/\*Due\*\\n<!date\^(\d+)/g)].map(([, at]) => Number(at) * 1000))
    .filter((ms) => ms > nowMs);
  return times.length === 0 ? null : Math.min(...times);
}
