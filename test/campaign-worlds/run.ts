import { setImmediate as turn } from 'node:timers/promises';
import { happenToCampaign, happenToPerson, startCampaign, type Run } from './happenings.ts';
import { judge, type Difference } from './judge.ts';
import { type Fact, factsAbout, boardOf } from './journal.ts';
import { days, planWorld, type CampaignHappening, type Kill } from './plan.ts';
import { beginMs, holidays, hourMs, openWorld, textOf, type World } from './world.ts';
import { availableParallelism } from 'node:os';
import { addCounts, countsInWords, type RandomJudge } from '../judges/judge.ts';
import { apart } from '../support/apart.ts';

/** How much a world had of what; `lines` are of all its reports. */
type Counts = Record<'campaigns' | 'messages' | 'reports' | 'lines' | 'boards' | 'kills', number>;

interface WorldReport {
  counts: Counts;
  differences: readonly Difference[];
  /** What was seen of each campaign, for people who look at a difference. */
  facts: readonly Fact[];
}

interface Happening {
  at: number;
  /** Which campaign it is about. */
  campaign?: number;
  run: () => Promise<string | undefined | void>;
}

/** A board shows what is so within a minute of quiet. */
const quietMs = 61_000;

/** @param only the campaigns that are started: a failure can be looked at alone */
export async function runWorld(
  seed: number,
  { campaigns: count, only }: { campaigns: number; only?: readonly number[] | undefined },
): Promise<WorldReport> {
  const plan = planWorld(seed, count);
  const world = await openWorld(plan);
  const { clock, journal } = world;
  const problems: Difference[] = [];
  const runs = plan.campaigns.map((draft, number): Run => ({
    number,
    draft,
    dueAt: 0,
    isStarted: false,
    attempts: [],
    names: 0,
  }));
  const at = (hours: number) => beginMs + hours * hourMs;
  const changedAt = new Map<number, number>();
  const endMs = at(days * 24);
  const happenings: Happening[] = [
    ...runs
      .filter(({ number }) => only === undefined || only.includes(number))
      .flatMap((run): Happening[] => [
        { at: at(run.draft.startsAt), campaign: run.number, run: () => startCampaign(world, run, plan.people.length) },
        ...[...run.draft.happens, ...reopenings(run.draft.happens), lastReport].map((one) => ({
          at: Math.min(at(run.draft.startsAt + one.after), endMs - 1),
          campaign: run.number,
          run: async () => (run.isStarted ? happenToCampaign(world, run, one, plan.people.length) : undefined),
        })),
      ]),
    ...plan.people.flatMap((person, who) =>
      person.happens.flatMap(({ at: hours, kind, backAfter }) => [
        { at: at(hours), run: () => happenToPerson(world, { who, kind, isBack: false }, person) },
        { at: at(hours + backAfter), run: () => happenToPerson(world, { who, kind, isBack: true }, person) },
      ]),
    ),
    ...plan.kills.map((kill) => ({ at: at(kill.at), run: () => killBot(world, kill) })),
  ]
    .filter((one) => one.at < endMs)
    .toSorted((a, b) => a.at - b.at);
  try {
    for (const happening of happenings) {
      // Each at a moment of its own, so that facts have an order.
      await clock.until(Math.max(happening.at, clock.now() + 1_000));
      world.collect();
      for (const { number, isStarted, draft } of runs)
        if (isStarted && draft.hasBoard) noteBoard(world, number, changedAt.get(number) ?? 0);
      const problem = await (happening.campaign === undefined ? happening.run() : world.commanded(happening.run));
      const { campaign } = happening;
      if (typeof problem === 'string') {
        const complaint = world.bot.complaints().at(-1) ?? 'nothing';
        problems.push({ rule: 'answer', campaign, message: `${problem}; the log complains of ${complaint}` });
      }
      if (campaign !== undefined) changedAt.set(campaign, clock.now());
    }
    await clock.until(endMs);
    world.collect();
  } catch (error) {
    problems.push({
      rule: 'fault',
      campaign: undefined,
      message: error instanceof Error ? String(error.stack) : String(error),
    });
  } finally {
    await world.close().catch(() => {});
  }
  const of = (kind: string) => journal.all.filter((fact) => fact.kind === kind).length;
  return {
    counts: {
      campaigns: of('started'),
      messages: of('message'),
      reports: of('report'),
      lines: journal.all.reduce((sum, fact) => sum + (fact.kind === 'report' ? fact.rows.length : 0), 0),
      boards: of('board'),
      kills: plan.kills.length,
    },
    facts: journal.all,
    differences: [...problems, ...judge(journal, plan, holidays)],
  };
}

const lastReport: CampaignHappening = {
  after: Infinity,
  kind: 'report',
  who: 0,
  days: 1,
  isByLink: false,
  isHinted: false,
};

/** A quiz that is closed is opened again some time later. */
function reopenings(happens: readonly CampaignHappening[]): CampaignHappening[] {
  return happens.flatMap((one) =>
    one.kind === 'close' ? [{ ...one, kind: 'open', after: one.after + 6 * one.days }] : [],
  );
}

/** Ends the bot, in the midst of what is due at the moment, and starts it again. */
async function killBot(world: World, { awayMs, turns, lostAnswers }: Kill): Promise<void> {
  const { clock, bot, journal, workspace } = world;
  const restore =
    lostAnswers > 0
      ? workspace.faults.inject({ kind: 'lost-answer' }, { method: 'chat.postMessage', times: lostAnswers })
      : () => {};
  if (turns !== undefined) {
    const under = clock.until(clock.now() + 1_000);
    for (let left = turns; left > 0; left -= 1) await turn();
    await Promise.all([bot.kill(), under]);
  } else await bot.kill();
  restore();
  journal.note({ kind: 'bot', isUp: false, at: clock.now() });
  await clock.until(clock.now() + awayMs);
  await bot.start();
  journal.note({ kind: 'bot', isUp: true, at: clock.now() });
}

function noteBoard({ workspace, clock, journal }: World, campaign: number, changedAt: number): void {
  const now = clock.now();
  const lastAt = Math.max(
    changedAt,
    journal.all.findLast((fact) => ('campaign' in fact && fact.campaign === campaign) || fact.kind === 'bot')?.at ?? 0,
  );
  const board = workspace
    .messages(boardOf(campaign).id)
    .findLast(({ text }) => text.startsWith('📋') || text.startsWith('🏁'));
  if (now - lastAt < quietMs || board === undefined) return;
  journal.note({ kind: 'board', campaign, text: textOf(board), quietSince: lastAt, at: now });
}

/** Campaigns of a world. With more, each moment of one runs all the others; with fewer, the worlds take longer than what is in them. */
const campaignsPerWorld = 8;

/** Runs a world in a process of its own. */
export async function reportOf(seed: number): Promise<Omit<WorldReport, 'facts'>> {
  const { facts: _, ...report } = await runWorld(seed, { campaigns: campaignsPerWorld });
  return report;
}

/** Random campaigns, each through 60 days with the whole bot: worlds in as many processes as there are processors. */
export const campaigns: RandomJudge = {
  count: 2_000,
  async run({ count, seed }, { found, done, goesOn }) {
    const beganAt = performance.now();
    const all: Counts = { campaigns: 0, messages: 0, reports: 0, lines: 0, boards: 0, kills: 0 };
    let [worlds, differing] = [0, 0];
    let next = seed;

    async function lane(): Promise<void> {
      while (goesOn() && all.campaigns < count) {
        const worldSeed = next++;
        const { counts, differences } = await apart(import.meta.url, reportOf, [worldSeed]);
        addCounts(all, counts);
        worlds += 1;
        differing += differences.length;
        const kinds = Map.groupBy(
          differences,
          ({ rule, campaign }) => `${campaign === undefined ? '' : `, campaign ${campaign}`}: ${rule}`,
        );
        for (const [what, [first, ...others]] of kinds)
          found(
            `world ${worldSeed}${what}: ${first?.message}${others.length > 0 ? `, and ${others.length} more` : ''}`,
            first?.rule,
          );
        done(all.campaigns);
      }
    }

    await Promise.all(Array.from({ length: Math.min(availableParallelism(), count) }, lane));
    const seconds = (performance.now() - beganAt) / 1_000;
    return `${worlds} worlds of 60 days: ${countsInWords(all)}; seed ${seed}, ${seconds.toFixed(0)} s; ${differing} differences`;
  },
  modes: { world: async ({ words: [, world, campaign] }, { found }) => repeatWorld(Number(world), campaign, found) },
};

async function repeatWorld(seed: number, only: string | undefined, found: (finding: string) => void): Promise<string> {
  const chosen = only === undefined ? undefined : Number(only);
  const { facts, differences, counts } = await runWorld(seed, {
    campaigns: campaignsPerWorld,
    only: chosen === undefined ? undefined : [chosen],
  });
  for (const { at, ...what } of chosen === undefined ? [] : factsAbout(facts, chosen))
    if (what.kind !== 'board') process.stdout.write(`${new Date(at).toISOString()} ${JSON.stringify(what)}\n`);
  for (const { rule, campaign, message } of differences) found(`campaign ${campaign}: ${rule}: ${message}`);
  return JSON.stringify(counts);
}
