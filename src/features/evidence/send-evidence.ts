import type { Campaign, CampaignSummary } from '../../domain/campaign.ts';
import { named } from '../../domain/sentence.ts';
import type { OperationContext } from '../../operations/context.ts';
import { parseClauses } from '../../operations/clauses/parse-clauses.ts';
import { dayInWords } from '../../operations/dates/typed-time.ts';
import { zoneOf } from '../../operations/dates/person-zone.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { visibleCampaigns } from '../../operations/fields/campaign.ts';
import { fileName } from '../../operations/file-name.ts';
import { defineOperation, type Operation } from '../../operations/operation.ts';
import { namesOfPeople } from '../../operations/people-names.ts';
import type { TextInput } from '../../operations/text-input.ts';
import { linksUpTo } from '../../operations/trail-links.ts';
import { QuizApiError } from '../../quiz-api/errors.ts';
import { anyCampaign } from '../campaigns/operations/campaign-field.ts';
import { ranIn, type CampaignFacts, type Period } from './facts.ts';
import { makePack, type PackContents } from './pack.ts';
import { readPeriod } from './period.ts';

/** For the results of all campaigns together. Of those that are not read by then, the pack has what was known. */
const readTimeoutMs = 45_000;

type Context = OperationContext<'campaigns' | 'records' | 'evidence' | 'sendFile'>;

export const sendEvidence: Operation = defineOperation({
  name: 'send-evidence',
  command: '/quiz-campaign evidence [campaign or all] [since 2026-01-01] [until 2026-06-30]',
  synonyms: ['proof', 'evidence-pack'],
  summary: 'Get a signed file for auditors: who had to take what, who did, who was excused, and the record of it',
  title: 'Evidence pack',
  buttons: {
    campaign: [{ label: 'Evidence', in: ['page'], position: 9, input: ({ id }) => ({ campaign: [id] }) }],
  },
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Send',
  forPeopleOnly: true,
  uses: ['campaigns', 'records', 'evidence', 'sendFile'],
  fields: {
    campaign: { ...anyCampaign, hint: 'By the name of its quiz. Leave empty for all', optional: true },
    since: {
      kind: 'text',
      label: 'Since',
      hint: 'For example 2026-01-01. Leave empty for the last twelve months',
      maxLength: 60,
      isTime: true,
      clause: { words: ['since', 'from'], example: '2026-01-01' },
      optional: true,
    },
    until: {
      kind: 'text',
      label: 'Until',
      hint: 'For example 2026-06-30. Leave empty for now',
      maxLength: 60,
      isTime: true,
      clause: { words: ['until', 'till', 'to'], example: '2026-06-30' },
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
    const inWords = `${dayInWords(period.since, clock)} to ${dayInWords(period.until - 1, clock)}`;
    if (chosen.length === 0)
      throw new InvalidInputError(
        campaign === undefined ? 'since' : 'campaign',
        campaign === undefined
          ? `No campaign that you can see ran from ${inWords}. Choose another period.`
          : `The campaign for ${named(campaign.quiz.name)} didn’t run from ${inWords}. Choose another period.`,
      );
    const pack = await makePack(await contentsOf(context, chosen, { ...period, quiz: campaign?.quiz.name }));
    const people = `${pack.people.toLocaleString('en')} ${pack.people === 1 ? 'person' : 'people'}`;
    const about =
      campaign === undefined
        ? `${pack.campaigns} ${pack.campaigns === 1 ? 'campaign' : 'campaigns'}`
        : named(campaign.quiz.name);
    await context.sendFile({
      name: `${campaign === undefined ? 'Training' : fileName(campaign.quiz.name)} evidence ${isoDay(period.until - 1)}.zip`,
      comment: `Evidence from ${isoDay(period.since)} to ${isoDay(period.until - 1)} (UTC): ${people}. README.txt says how anyone can check it.`,
      content: pack.content,
    });
    return {
      kind: 'done',
      message: `Sent you the evidence pack on ${about}, ${inWords}: ${people}. The ZIP file is in your direct messages.`,
    };
  },
});

function withoutAll({ campaign = [], ...others }: TextInput): TextInput {
  const [typed = ''] = campaign;
  return /^(?:for\s+)?all(?:\s+campaigns)?$/i.test(typed.trim())
    ? others
    : { ...others, ...(typed !== '' && { campaign }) };
}

async function contentsOf(
  context: Context,
  chosen: readonly Pick<CampaignSummary, 'id' | 'quiz'>[],
  { since, until, quiz }: Period & { quiz: string | undefined },
): Promise<PackContents> {
  const { actor, records, evidence, platform } = context;
  const askedBy = (await namesOfPeople(context, [actor.personId])).get(actor.personId) ?? '';
  const [signer, verifier, head] = await Promise.all([evidence.signer(), evidence.verifier(), records.auditHead()]);
  return {
    head: {
      about: quiz ?? `all campaigns that ${askedBy} can see`,
      askedBy,
      since,
      until,
      madeAt: context.now(),
      platform: platform.name,
    },
    campaigns: campaignsNow(context, chosen),
    links: linksUpTo(records, head.position),
    namesOf: async (ids) => namesOfPeople(context, ids),
    signer,
    verifier,
  };
}

/** Each campaign with its results, one after the other. */
async function* campaignsNow(
  context: Context,
  chosen: readonly Pick<CampaignSummary, 'id' | 'quiz'>[],
): PackContents['campaigns'] & AsyncGenerator {
  const deadline = context.now() + readTimeoutMs;
  for (const { id, quiz } of chosen) {
    const campaign = await context.campaigns.byId(id);
    if (campaign === undefined) continue;
    const facts = await readNow(context, campaign, deadline);
    yield { ...facts, isQuizSeen: context.visibility.quiz({ quiz_id: quiz.id }) };
  }
}

async function readNow(
  { campaigns, call, now }: Context,
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

function isoDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
