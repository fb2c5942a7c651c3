import { countOf, say } from '../../domain/said.ts';
import { named } from '../../domain/sentence.ts';
import { parseClauses } from '../../operations/clauses/parse-clauses.ts';
import { dayInWords } from '../../operations/dates/typed-time.ts';
import { zoneOf } from '../../operations/dates/person-zone.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { visibleCampaigns } from '../../operations/fields/campaign.ts';
import { fileName } from '../../operations/file-name.ts';
import { formStep } from '../../operations/next-step.ts';
import { defineOperation, type Operation } from '../../operations/operation.ts';
import { namesOfPeople } from '../../operations/people-names.ts';
import { anyCampaign } from '../campaigns/operations/campaign-field.ts';
import { withoutAll } from './all-campaigns.ts';
import { ranIn } from './facts.ts';
import { orderEvidence } from './order-evidence.ts';
import { packOf } from './pack-of.ts';
import { readPeriod } from './period.ts';

export const sendEvidence: Operation = defineOperation({
  name: 'send-evidence',
  command: '/quiz-campaign evidence [campaign or all] [since 2026-01-01] [until 2026-06-30]',
  synonyms: ['proof', 'evidence-pack'],
  summary: 'Get a signed file for auditors: who had to take what, who did, who was excused, and the record of it',
  title: say`Evidence pack`,
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
    const [from, to] = [dayInWords(period.since, clock), dayInWords(period.until - 1, clock)];
    if (chosen.length === 0)
      throw new InvalidInputError(
        campaign === undefined ? 'since' : 'campaign',
        campaign === undefined
          ? say`No campaign that you can see ran from ${from} to ${to}. Choose another period.`
          : say`The campaign for ${named(campaign.quiz.name)} didn’t run from ${from} to ${to}. Choose another period.`,
      );
    const { actor, visibility } = context;
    const askedBy = (await namesOfPeople(context, [actor.personId])).get(actor.personId) ?? '';
    const pack = await packOf(context, {
      ...period,
      about: campaign?.quiz.name ?? `all campaigns that ${askedBy} can see`,
      askedBy,
      campaigns: chosen,
      isQuizSeen: (quizId) => visibility.quiz({ quiz_id: quizId }),
    });
    const people = countOf(pack.people, 'person', 'people');
    const about = campaign === undefined ? countOf(pack.campaigns, 'campaign', 'campaigns') : named(campaign.quiz.name);
    await context.sendFile({
      name: `${campaign === undefined ? 'Training' : fileName(campaign.quiz.name)} evidence ${isoDay(period.until - 1)}.zip`,
      comment: say`Evidence from ${isoDay(period.since)} to ${isoDay(period.until - 1)} (UTC): ${people}. README.txt says how anyone can check it.`,
      content: pack.content,
    });
    return {
      kind: 'done',
      message: say`Sent you the evidence pack on ${about}, ${from} to ${to}: ${people}. The ZIP file is in your direct messages.`,
      next: [formStep(say`Every month…`, orderEvidence, campaign === undefined ? {} : { campaign: [campaign.id] })],
    };
  },
});

function isoDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
