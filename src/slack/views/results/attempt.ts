import { type Fact } from '../../../operations/page.ts';
import { resultFacts, outcomeHeading } from '../../../operations/wording/result-words.ts';
import { moment } from '../../../time/date-words.ts';
import type { ActionsBlock, KnownBlock } from '@slack/types';
import { isBlank, nameOrId } from '../../../domain/name-or-id.ts';
import { shortRespondentName, shortName } from '../../../domain/short-name.ts';
import { deleteResponse } from '../../../features/results/delete-response.ts';
import { sendFiles } from '../../../features/results/send-files.ts';
import type { OperationResult } from '../../../operations/operation-result.ts';
import { resultOf } from '../../../features/results/result-of.ts';
import type { Quiz } from '../../../quiz-api/quizzes.ts';
import type { QuizResponse } from '../../../quiz-api/responses.ts';
import { countOf, say } from '../../../domain/said.ts';
import { linkButton, operationButton } from '../blocks/buttons.ts';
import { factSection } from '../blocks/facts.ts';
import type { Message } from '../blocks/message.ts';
import { context, section, sections } from '../blocks/mrkdwn.ts';
import { answeredQuestion } from './answered-question.ts';

type Attempt = Extract<OperationResult, { kind: 'attempt' }>;

/** Leaves room for the other blocks within Slack's limit of 50 per message. */
const questionSectionsAtMost = 36;
const factsInSection = 10;
const registrationFieldsAtMost = 30;
/** Leaves room for the other buttons within Slack's limit of 25 elements per actions block. */
const fileButtonsAtMost = 20;

/** One attempt in full. Send it only to the person who asked. */
export function attemptMessage(attempt: Attempt, timeZone: string): Message {
  const { quiz, response, questions } = attempt;
  const heading = attemptHeading(response, quiz);
  const result = resultOf(response);
  const lines = questions.map((question, index) => answeredQuestion(question, index + 1));
  const shown = countFitting(lines);
  return {
    text: heading,
    blocks: [
      section(heading),
      ...(result ? [factSection(resultFacts(result))] : []),
      ...factSections(registrationFacts(response)),
      ...factSections(personalFacts(response)),
      ...sections(lines.slice(0, shown)),
      ...(shown < lines.length
        ? [context(say`…and ${countOf(lines.length - shown, 'more question', 'more questions')}.`)]
        : []),
      ...actionRow(attempt),
      ...(response.date_submitted ? [context(say`Submitted ${moment(response.date_submitted, timeZone)}`)] : []),
    ],
  };
}

function attemptHeading(response: QuizResponse, quiz: Quiz): string {
  const person = shortRespondentName(response);
  const name = shortName(quiz.name);
  if (response.outcome !== null) return outcomeHeading(response.outcome, person, name);
  if (response.status === 'not_started') return say`⏳ *${person}* hasn’t started *${name}*`;
  if (response.status === 'not_submitted') return say`⏳ *${person}* has started *${name}* but not submitted it`;
  return say`⏳ *${person}* hasn’t submitted *${name}*`;
}

function registrationFacts({ registration_fields }: QuizResponse): Fact[] {
  return registration_fields
    .slice(0, registrationFieldsAtMost)
    .map(({ name, value }) => [
      shortName(nameOrId('field', name), 80),
      isBlank(value) ? say`Left empty` : shortName(value, 250),
    ]);
}

/** The operation has already removed the fields that the reader may not see. */
function personalFacts({ email_address, user_name, ip_address, access_code }: QuizResponse): Fact[] {
  const facts: [string, string | null][] = [
    [say`E-mail address`, email_address],
    [say`User name`, user_name],
    [say`IP address`, ip_address],
    [say`Access code`, access_code],
  ];
  return facts.flatMap(([label, fact]): Fact[] => (fact ? [[label, shortName(fact, 250)]] : []));
}

function actionRow({ quiz, response, questions, canDelete }: Attempt): ActionsBlock[] {
  const raw = { quiz: [quiz.quiz_id], response: [response.response_id] };
  const files = questions.flatMap((question) => question.files).slice(0, fileButtonsAtMost);
  const elements = [
    ...files.flatMap(({ file_id, name }, index) =>
      operationButton(`file-${index}`, {
        text: say`📎 Get ${shortName(nameOrId('file', name, file_id), 50)}`,
        doing: 'beside',
        operation: sendFiles,
        raw: { ...raw, file: [file_id] },
      }),
    ),
    ...linkButton('certificate', say`Certificate`, response.certificate_url),
    ...linkButton('report', say`Report`, response.response_report_url),
    ...(canDelete
      ? operationButton('delete', {
          text: say`Delete…`,
          doing: 'form',
          operation: deleteResponse,
          raw,
          style: 'danger',
        })
      : []),
  ];
  return elements.length === 0 ? [] : [{ type: 'actions', elements }];
}

function factSections(facts: readonly Fact[]): KnownBlock[] {
  const first = facts.slice(0, factsInSection);
  return first.length === 0 ? [] : [factSection(first), ...factSections(facts.slice(factsInSection))];
}

function countFitting(lines: readonly string[]): number {
  let count = lines.length;
  while (sections(lines.slice(0, count)).length > questionSectionsAtMost) count -= 1;
  return count;
}
