import { saidTime } from '../../../operations/dates/typed-time.ts';
import { zoneOf } from '../../../operations/dates/person-zone.ts';
import { named } from '../../../domain/sentence.ts';
import { say } from '../../../domain/said.ts';
import { csvField, outgoingTable } from '../../../operations/table-file.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { fileName } from '../../../operations/file-name.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { namesOfPeople } from '../../../operations/people-names.ts';
import { reportTable } from './report.ts';
import { anyCampaign } from './campaign-field.ts';
import { peopleWords } from './campaign-words.ts';

export const reportCampaign = defineOperation({
  name: 'report-campaign',
  command: '/quiz-campaign report <campaign>',
  synonyms: ['export', 'download', 'csv'],
  summary: 'Get everyone in a campaign as an Excel file, in a direct message; csv sends a plain file',
  title: say`Report on a campaign`,
  buttons: {
    campaign: [{ label: 'Report', in: ['list', 'page'], position: 5, input: ({ id }) => ({ campaign: [id] }) }],
  },
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Send',
  forPeopleOnly: true,
  fields: { campaign: anyCampaign, csv: csvField },
  async run(context, { campaign: known, csv }) {
    const { members, quiz } = known;
    if (members.length === 0)
      throw new InvalidInputError('campaign', say`Nobody is in the campaign for ${named(quiz.name)}.`);
    const { campaign, asOf, isGone } = await context.campaigns.readNow(known, context.call);
    const people = peopleWords(members.length);
    const readAt = saidTime(asOf, { nowMs: context.now(), timeZone: zoneOf(context) });
    await context.sendFile({
      name: say`${fileName(quiz.name)} campaign`,
      comment: isGone
        ? say`The campaign for ${quiz.name}: ${people}, as of ${readAt}. The quiz is deleted, so the results are those that were known before`
        : say`The campaign for ${quiz.name}: ${people}, as of ${readAt}`,
      content: outgoingTable(
        context,
        reportTable({
          campaign,
          asOf,
          atEnd: known.endedAt === null ? undefined : known,
          names: await namesOfPeople(
            context,
            campaign.members.flatMap(({ excused, managerId }) => [excused?.by ?? [], managerId ?? []].flat()),
          ),
          platform: context.platform.name,
        }),
        csv,
      ),
    });
    return {
      kind: 'done',
      message: say`Sent you the report on ${named(quiz.name)}: ${people}. The file is in your direct messages.`,
    };
  },
});
