import { executionId } from './slack.ts';
import { idBehind, slackIdOf } from './cohort.ts';
import { grantOf } from './grants.ts';
import { surroundingsOf, type Where } from './surroundings.ts';
import type { DeliveredStep } from './steps.ts';

/** The steps of workflows that are called otherwise than their operations. */
const callbacks: Readonly<Record<string, string>> = { 'show-results': 'get_result' };

/**
 * https://docs.slack.dev/reference/events/function_executed
 *
 * @param texts of the step, by field
 */
export function functionExecuted(
  step: Extract<DeliveredStep, { do: 'workflow step' }>,
  where: Where,
  texts: Record<string, string[]>,
): Record<string, unknown> {
  const { personId, number, now } = where;
  const of = (part: 'user' | 'assignees' | 'grant') => surroundingsOf(part, step, where).cohort;
  const named = (kind: 'user' | 'group') =>
    step.assignees?.flatMap((text) => (text.startsWith(`${kind} `) ? [text.slice(kind.length + 1)] : []))[0];
  const [assignee, group] = [named('user'), named('group')];
  const person = assignee ?? step.user;
  const ofPerson = of(assignee === undefined ? 'user' : 'assignees');
  const callback = callbacks[step.operation] ?? step.operation.replaceAll('-', '_');
  const inputs = {
    acts_as: grantOf(step.grant, of('grant'), { personId, step: callback }, now),
    quiz: texts['quiz']?.[0],
    person: person && slackIdOf(ofPerson.number, person),
    group: group && idBehind(of('assignees').groups, group),
    due: step.values?.['due']?.[0],
    reason: step.reason,
  };
  return {
    type: 'function_executed',
    function: {
      id: 'Fn1',
      callback_id: callback,
      type: 'app',
      app_id: 'A0THEBOT',
    },
    inputs: Object.fromEntries(Object.entries(inputs).filter(([, given]) => given !== undefined)),
    function_execution_id: executionId(personId, number),
    workflow_execution_id: 'Wx1',
    event_ts: '1.1',
    bot_access_token: `xwfp-${number}`,
  };
}
