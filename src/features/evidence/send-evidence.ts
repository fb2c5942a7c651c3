import { made } from '../../operations/page.ts';
import type { Campaign, CampaignSummary } from '../../domain/campaign.ts';
import { countOf, say, named } from '../../domain/said.ts';
import { parseClauses } from '../../operations/clauses/parse-clauses.ts';
import type { OperationContext } from '../../operations/context.ts';
import { zoneOf, dayInWords, momentInWords, readTime, type TimeSetting } from '../../operations/dates/typed-time.ts';
import { InvalidInputError, given, type TextInput } from '../../operations/text-input.ts';
import { visibleCampaigns, anyCampaign } from '../../operations/fields/campaign.ts';
import { fileName, outgoingTable } from '../../operations/table-file.ts';
import { defineOperation, type Operation } from '../../operations/operation.ts';
import { meansOneOf } from '../../operations/other-words/meanings.ts';
import { namesOfPeople } from '../../operations/wording/shown-name.ts';
import { linksUpTo } from '../../operations/services/records.ts';
import { QuizApiError } from '../../quiz-api/errors.ts';
import { startOfNextDay } from '../../time/working-hours.ts';
import { analysisOf } from '../questions/operations/analysis.ts';
import { ranIn, type CampaignFacts, type EvidenceHead, type Period } from './facts.ts';
import type { PackContents } from './pack.ts';

export const sendEvidence: Operation = defineOperation({
  name: 'send-evidence',
  command: '/quiz-campaign evidence [campaign or all] [since 2026-01-01] [until 2026-06-30]',
  synonyms: ['proof', 'evidence-pack'],
  summary: 'Get a signed file for auditors: who had to take what, who did, who was excused, and the record of it',
  title: say`Evidence pack`,
  buttons: { campaign: [{ label: 'Evidence', in: ['page'], position: 9 }] },
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Send',
  forPeopleOnly: true,
  fields: {
    campaign: { ...anyCampaign, hint: 'By the name of its quiz. Leave empty for all', optional: true },
    since: {
      kind: 'text',
      label: 'Since',
      hint: 'For example 2026-01-01. Leave empty for the last twelve months',
      maxLength: 60,
      isTime: true,
      clause: { words: ['since', 'from'], example: say`since 2026-01-01` },
      optional: true,
    },
    until: {
      kind: 'text',
      label: 'Until',
      hint: 'For example 2026-06-30. Leave empty for now',
      maxLength: 60,
      isTime: true,
      clause: { words: ['until', 'till', 'to'], example: say`until 2026-06-30` },
      optional: true,
    },
  },
  parse(line) {
    const [first, ...others] = parseClauses(line, sendEvidence.fields, { subject: 'campaign', time: 'since' });
    return [withoutAll(first), ...others.map(withoutAll)];
  },
  async run(context, { campaign, since, until }) {
    const clock = { nowMs: context.now(), timeZone: zoneOf(context) };
    const period = readPeriod({ since, until }, clock);
    const chosen = (campaign === undefined ? await visibleCampaigns(context) : [campaign]).filter((one) =>
      ranIn(one, period),
    );
    const [from, to] = [dayInWords(period.since, clock), dayInWords(period.until - 1, clock)];
    if (chosen.length === 0)
      throw new InvalidInputError(
        campaign === undefined ? 'since' : 'campaign',
        campaign === undefined
          ? say`No campaign that you can see ran from ${from} to ${to}. Choose another period.`
          : say`The campaign for ${named(campaign.quiz.name)} didn’t run from ${from} to ${to}. Choose another period.`,
      );
    const { actor } = context;
    const askedBy = (await namesOfPeople(context, [actor.personId])).get(actor.personId) ?? '';
    const making = await packOf(context, {
      ...period,
      about: campaign?.quiz.name ?? `all campaigns that ${askedBy} can see`,
      askedBy,
      campaigns: chosen,
    });
    const name = `${campaign === undefined ? 'Training' : fileName(campaign.quiz.name)} evidence ${isoDay(period.until - 1)}`;
    await context.sendFile({
      name,
      comment: say`Who had to take what, ${from} to ${to}, as in the evidence pack. Only the pack is signed.`,
      content: outgoingTable(context, making.table),
    });
    const pack = making.pack();
    const people = countOf(pack.people, 'person', 'people');
    const about = campaign === undefined ? countOf(pack.campaigns, 'campaign', 'campaigns') : named(campaign.quiz.name);
    await context.sendFile({
      name: `${name}.zip`,
      comment: say`Evidence from ${isoDay(period.since)} to ${isoDay(period.until - 1)} (UTC): ${people}. README.txt says how anyone can check it.`,
      content: pack.content,
    });
    return made(
      say`Sent you the evidence pack on ${about}, ${from} to ${to}: ${people}. The ZIP file and an Excel file to read are in your direct messages.`,
    );
  },
});

function isoDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** The input without a campaign where people typed that all are meant. */
function withoutAll({ campaign = [], ...others }: TextInput): TextInput {
  const [typed = ''] = campaign;
  return /^(?:for\s+)?all(?:\s+campaigns)?$/i.test(typed.trim()) || meansOneOf(typed.trim(), ['all'])
    ? others
    : { ...others, ...given({ campaign: typed !== '' && campaign }) };
}

type Clock = Pick<TimeSetting, 'nowMs' | 'timeZone'>;

/**
 * The period of a pack as people type it: a day alone begins at midnight, and ends with its last moment. Without an end, it ends
 * now; without a beginning, it is twelve months. A time to come is now.
 *
 * @throws {InvalidInputError}
 */
export function readPeriod(typed: { since?: string | undefined; until?: string | undefined }, clock: Clock): Period {
  const end = typed.until === undefined ? undefined : readPast(typed.until, 'until', clock);
  const endMs = end === undefined ? clock.nowMs : end.isDay ? startOfNextDay(end.atMs, clock.timeZone) : end.atMs;
  const until = Math.min(endMs, clock.nowMs);
  const since =
    typed.since === undefined
      ? readPast('12 months ago', 'since', { ...clock, nowMs: until }).atMs
      : readPast(typed.since, 'since', clock).atMs;
  if (since >= until)
    throw new InvalidInputError(
      'since',
      say`The period would begin ${momentInWords(since, clock)} and end ${momentInWords(until, clock)}. Type it like since 2026-01-01 until 2026-06-30.`,
    );
  return { since, until };
}

function readPast(typed: string, field: string, clock: Clock): { atMs: number; isDay: boolean } {
  const time = readTime(typed, { ...clock, direction: 'past' });
  if (time === undefined)
    throw new InvalidInputError(
      field,
      say`“${typed}” isn’t a time I know. Type it like 2026-01-01, last month or 90d.`,
    );
  if (time.kind === 'problem') throw new InvalidInputError(field, `“${typed}”: ${time.message}`);
  return time;
}

/** For the results of all campaigns together. Of those that are not read by then, the pack has what was known. */
const readTimeoutMs = 45_000;

interface WantedPack extends Pick<EvidenceHead, 'about' | 'askedBy' | 'since' | 'until'> {
  campaigns: readonly Pick<CampaignSummary, 'id' | 'quiz'>[];
}

/** The pack of campaigns, whose results are read while it is made. */
async function packOf(context: OperationContext, wanted: WantedPack) {
  const { records, evidence, platform } = context;
  const { campaigns, ...head } = wanted;
  const [signer, verifier, { position }] = await Promise.all([
    evidence.signer(),
    evidence.verifier(),
    records.auditHead(),
  ]);
  const { makePack } = await import('./pack.ts');
  return makePack({
    head: { ...head, madeAt: context.now(), platform: platform.name },
    campaigns: campaignsNow(context, wanted),
    questions: questionsNow(context, wanted),
    links: linksUpTo(records, position),
    namesOf: async (ids) => namesOfPeople(context, ids),
    signer,
    verifier,
    inOwnNames: platform.inOwnNames,
  });
}

/** Each campaign with its results, one after the other. */
async function* campaignsNow(context: OperationContext, { campaigns }: WantedPack) {
  const deadline = context.now() + readTimeoutMs;
  for (const { id, quiz } of campaigns) {
    const campaign = await context.campaigns.byId(id);
    if (campaign === undefined) continue;
    const facts = await readNow(context, campaign, deadline);
    yield { ...facts, isQuizSeen: context.visibility.quiz({ quiz_id: quiz.id }) };
  }
}

/** The questions of each quiz that the reader may see. Left out is what the service can’t be asked for. */
async function* questionsNow(
  { api, answers, call, now, offered, visibility }: OperationContext,
  { campaigns }: WantedPack,
): PackContents['questions'] & AsyncGenerator {
  const options = { ...call, deadline: now() + readTimeoutMs };
  for (const quiz of new Map(campaigns.map((one) => [one.quiz.id, one.quiz])).values()) {
    if (!visibility.quiz({ quiz_id: quiz.id })) continue;
    try {
      yield await api.responses.using(quiz.id, options, async (all) => {
        const known = await answers.of(quiz.id, all);
        return {
          quiz,
          attempts: known.counted.size,
          read: known.answers.size,
          analysis: await analysisOf(known.questions, [...known.answers.values()]),
          showsRight: offered().has('show-attempt'),
        };
      });
    } catch (error) {
      if (!(error instanceof QuizApiError)) throw error;
    }
  }
}

async function readNow(
  { campaigns, call, now }: OperationContext,
  campaign: Campaign,
  deadline: number,
): Promise<CampaignFacts> {
  try {
    const { isGone, ...read } = await campaigns.readNow(campaign, { ...call, deadline });
    return {
      ...read,
      resultsFrom: isGone ? 'known to the bot before the quiz was deleted' : 'read from the quiz service',
    };
  } catch (error) {
    if (!(error instanceof QuizApiError)) throw error;
    return { campaign, asOf: now(), resultsFrom: 'known to the bot, since the quiz service could not be asked' };
  }
}
