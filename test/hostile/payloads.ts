import { grantOf } from './proofs.ts';
import { decisionForm } from '../support/approvals.ts';
import type { DeliveryKind } from '../../src/sandbox/workspace/model.ts';
import { operations, type FieldKind } from './operations.ts';
import type { Intent } from './rules.ts';
import { responseUrl, threadOf, triggerId, viewId, executionId } from './slack.ts';
import type { DeliveredStep, ForeignPart, Step, StepInput } from './steps.ts';
import { channelIdOf, idBehind, slackIdOf, foreignTeam, type Address } from './cohort.ts';
import { isForeign, surroundingsOf, teamIn, type Around, type Where } from './place.ts';

export interface Payload {
  kind: DeliveryKind | 'agent' | 'webhook';
  body: Record<string, unknown>;
  /** An event that the bot answers when it has done something. */
  isAnsweredLater?: true;
  /** It is not answered while its request waits. */
  isStep?: true;
  /** It is answered already, or only where nobody may read the answer. */
  isUnanswered?: true;
}

/** A payload on its way to the process. */
export interface AddressedPayload extends Payload {
  address: Address;
}

const optionOf = (value: string) => ({ text: { type: 'plain_text', text: value.slice(0, 70) || '-' }, value });

/** Where a payload says that it comes from. */
function originOf(step: DeliveredStep, where: Where): Record<string, unknown> {
  const { envelope = 'own' } = step;
  const { personId, cohort } = where;
  return {
    team: envelope === 'no team' ? null : { id: teamIn(step, where), domain: 'x' },
    enterprise: envelope === 'foreign enterprise' ? { id: 'E0FOREIGN', name: 'x' } : null,
    is_enterprise_install: envelope === 'foreign enterprise',
    user: {
      id: personId,
      name: 'x',
      team_id: envelope === 'own' || envelope === 'no team' ? cohort.tenant.teamId : foreignTeam,
    },
    api_app_id: 'A0THEBOT',
    token: 'retired',
  };
}

/** Whether a text names something. A blank text is an empty field: a subscription to a blank quiz is for every quiz. */
const isNamed = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/** The texts of a step by field, and what they name. Handles that name nothing stay as they are. */
export function readStepInput(
  input: StepInput & Pick<Step, 'do'> & Pick<DeliveredStep, 'foreign'>,
  where: Around,
): { texts: Record<string, string[]>; intent: Intent } {
  const { operation, naming = 'id', values = {} } = input;
  const shape = operations[operation];
  const of = (part: ForeignPart) => surroundingsOf(part, input, where);
  const quizText = (id: string) => (naming === 'name' ? (of('quiz').state.quizzes.get(id)?.name ?? id) : id);
  const userText = (id: string) => {
    const { cohort, state } = of('user');
    const user = state.users.get(id);
    if (naming === 'name') return user ? `${user.first_name} ${user.last_name}` : id;
    if (naming === 'address') return user?.user_name ?? id;
    const handle = Object.keys(cohort.users).find((name) => cohort.users[name] === id);
    const personId = handle && cohort.people[handle]?.id;
    return naming === 'mention' && personId ? `person:${personId}` : id;
  };
  const ids = {
    quiz: input.quiz === undefined ? undefined : idBehind(of('quiz').cohort.quizzes, input.quiz),
    user: input.user === undefined ? undefined : idBehind(of('user').cohort.users, input.user),
    group: input.group === undefined ? undefined : idBehind(of('group').cohort.groups, input.group),
    channel: input.channel === undefined ? undefined : channelIdOf(of('channel').cohort.number, input.channel),
    subscription:
      input.subscription === undefined
        ? undefined
        : [...of('subscription').state.subscriptions.keys()].at(-1 - input.subscription),
    response:
      input.response === undefined
        ? undefined
        : idBehind(
            Object.fromEntries(
              Object.entries(of('response').cohort.responses).map(([handle, response]) => [handle, response.id]),
            ),
            input.response,
          ),
  };
  const assignees = (input.assignees ?? []).map((text) => {
    const [kind = '', handle = ''] = text.split(' ');
    const { users, groups } = of('assignees').cohort;
    return { kind, id: idBehind(kind === 'user' ? users : groups, handle) };
  });
  const texts: Record<string, string[]> = {};
  for (const [field, kind] of Object.entries(shape?.fields ?? {})) {
    const own: Partial<Record<FieldKind, string[]>> = {
      quiz: ids.quiz === undefined ? [] : [quizText(ids.quiz)],
      user: ids.user === undefined ? [] : [userText(ids.user)],
      users: ids.user === undefined ? assignees.map(({ id }) => id) : [userText(ids.user)],
      group: ids.group === undefined ? [] : [ids.group],
      response: ids.response === undefined ? [] : [ids.response],
      channel: ids.channel === undefined ? [] : [`channel:${ids.channel}`],
      subscription: ids.subscription === undefined ? [] : [ids.subscription],
      assignees: assignees.map((assignee) => `${assignee.kind}:${assignee.id}`),
      audience: assignees.map((assignee) => `${assignee.kind}:${assignee.id}`),
      // A campaign is named by its quiz.
      campaign: ids.quiz === undefined ? [] : [quizText(ids.quiz)],
      campaigns: ids.quiz === undefined ? [] : [quizText(ids.quiz)],
    };
    const given = values[field] ?? own[kind] ?? [];
    if (given.length > 0) texts[field] = [...given];
  }
  const { quiz, user, group, response, channel, subscription } = ids;
  const intent: Intent = {
    operation,
    ...(isNamed(quiz) && 'quiz' in (shape?.fields ?? {}) && { quiz }),
    ...(isNamed(user) && 'user' in (shape?.fields ?? {}) && { user }),
    ...(isNamed(group) && { group }),
    ...(isNamed(response) && { response }),
    ...(channel !== undefined && { channel }),
    ...(subscription !== undefined && { subscription }),
    ...(assignees.length > 0 && { assignees: assignees.map(({ id }) => id) }),
    values: input.do === 'command' || input.do === 'message' ? typedValues(input) : values,
  };
  return { texts, intent };
}

const userTypes = new Set(['respondent', 'trainer', 'administrator']);

/** The values in a command line. The bot reads a type that does not exist as a part of the name. */
function typedValues({ operation, values = {} }: StepInput): StepInput['values'] {
  const line = operations[operation]?.line ?? '';
  return Object.fromEntries(
    Object.entries(values).filter(
      ([field, [text = '']]) => line.includes(`{${field}}`) && (field !== 'user_type' || userTypes.has(text)),
    ),
  );
}

/** A choice as people type it. In quotes, it would be a name. */
const keywordOf = (field: string, choice: string) =>
  field === 'user_type' ? `as ${choice}` : choice === 'hourly' ? 'digest hourly' : choice;

/** Slack's markup of a text: mentions as it sends them. */
export const asMarkup = (text: string) =>
  text
    .replace(/^person:(\w+)$/, '<@$1|x>')
    .replace(/^channel:(\w+)$/, '<#$1|x>')
    .replaceAll('&', '&amp;');

export function commandLine(
  texts: Readonly<Record<string, readonly string[]>>,
  { operation, reason }: StepInput,
): string {
  const { line = '/quiz help', fields = {} } = operations[operation] ?? {};
  const quoted = (text: string) => (/^(person|channel):/.test(text) ? asMarkup(text) : `"${text.replaceAll('"', '')}"`);
  const typed = (field: string, text: string) =>
    fields[field] === 'choice' || field === 'filter' || field === 'period' ? keywordOf(field, text) : quoted(text);
  const filled = line.replaceAll(/\{(\w+)\}/g, (_, field: string) =>
    (texts[field] ?? []).map((text) => typed(field, text)).join(', '),
  );
  return reason === undefined ? filled : `${filled} --reason "${reason}"`;
}

/** What Slack sends of an input of a form that holds these texts. */
export function inputOf(kind: FieldKind, texts: readonly string[]): Record<string, unknown> {
  const [first = ''] = texts;
  switch (kind) {
    case 'flags':
      return { type: 'checkboxes', selected_options: texts.map(optionOf) };
    case 'assignees':
    case 'groups':
    case 'quizzes':
    case 'campaigns':
    case 'audience':
    case 'users':
      return { type: 'multi_external_select', selected_options: texts.map(optionOf) };
    case 'people':
      return { type: 'multi_users_select', selected_users: texts };
    case 'file':
      return { type: 'file_input', files: [{ id: first, name: 'people.csv' }] };
    case 'period':
      return { type: 'datepicker', selected_date: first };
    case 'channel':
    case 'board':
      return { type: 'conversations_select', selected_conversation: first.replace(/^channel:/, '') };
    case 'quiz':
    case 'user':
    case 'group':
    case 'choice':
    case 'campaign':
    case 'subscription':
    case 'plan':
    case 'batch':
      return { type: 'external_select', selected_option: optionOf(first) };
    default:
      return { type: 'plain_text_input', value: first };
  }
}

function viewOf(
  { hooks, where }: { hooks: Hooks; where: Where },
  callbackId: string,
  values: Record<string, unknown>,
  metadata = '',
): Record<string, unknown> {
  return {
    id: hooks.viewId,
    type: 'modal',
    callback_id: callbackId,
    private_metadata: metadata,
    state: { values },
    hash: '1.stale',
    blocks: [],
    title: { type: 'plain_text', text: 'x' },
    team_id: where.cohort.tenant.teamId,
  };
}

/** What Slack delivers of a step. @param requestId of a step about a request */
export function payloadOf(step: Exclude<DeliveredStep, { do: 'agent' }>, where: Where, requestId = ''): Payload {
  const { number, personId } = where;
  const channelId = channelIdOf(surroundingsOf('hooks', step, where).cohort.number, step.in ?? 'a');
  const { envelope } = step;
  const hooks = hooksOf(step, where);
  const { triggerId: trigger, responseUrl: url } = hooks;
  const origin = originOf(step, where);
  const press = (actionId: string, value: string): Payload => ({
    kind: 'block_actions',
    body: {
      type: 'block_actions',
      ...origin,
      trigger_id: trigger,
      response_url: url,
      container: { type: 'message', message_ts: '1.1', channel_id: channelId, is_ephemeral: true },
      channel: { id: channelId, name: 'training' },
      actions: [
        {
          type: 'button',
          block_id: 'b',
          action_id: actionId,
          action_ts: '1.1',
          text: { type: 'plain_text', text: 'x' },
          value,
        },
      ],
    },
  });
  const submit = (callbackId: string, values: Record<string, unknown>, metadata = ''): Payload => ({
    kind: 'view_submission',
    body: {
      type: 'view_submission',
      ...origin,
      trigger_id: trigger,
      view: viewOf({ hooks, where }, callbackId, values, metadata),
      response_urls: [],
    },
  });

  switch (step.do) {
    case 'message': {
      // The bot answers no message that comes late.
      const ts = `${Math.floor(Date.now() / 1_000)}.${String(number).padStart(6, '0')}`;
      const message = eventOf(where, step, {
        type: 'message',
        channel_type: 'im',
        channel: `D${personId}`,
        user: personId,
        text: commandLine(readStepInput(step, where).texts, step),
        ts,
        thread_ts: threadOf(number),
        event_ts: ts,
      });
      return isForeign(envelope) ? message : { ...message, isAnsweredLater: true };
    }
    case 'command': {
      const [command = '', ...rest] = commandLine(readStepInput(step, where).texts, step).split(' ');
      const enterprise = envelope === 'foreign enterprise' ? { enterprise_id: 'E0FOREIGN' } : {};
      return {
        kind: 'command',
        body: {
          command,
          text: rest.join(' '),
          team_id: teamIn(step, where),
          ...enterprise,
          user_id: personId,
          user_name: 'x',
          channel_id: channelId,
          channel_name: 'training',
          response_url: url,
          trigger_id: trigger,
          api_app_id: 'A0THEBOT',
        },
      };
    }
    case 'form': {
      const { texts } = readStepInput(step, where);
      const values = Object.fromEntries(
        Object.entries(texts).map(([field, given]) => [
          field,
          { value: inputOf(operations[step.operation]?.fields[field] ?? 'text', given) },
        ]),
      );
      const reason = { reason: { value: { type: 'plain_text_input', value: step.reason ?? null } } };
      return submit(step.operation, { ...values, ...reason });
    }
    case 'button':
    case 'button beside':
    case 'open form': {
      const { texts } = readStepInput(step, where);
      const raw = { ...texts, ...(step.reason !== undefined && { reason: [step.reason] }) };
      const actionId = { button: 'choose:0', 'button beside': 'ask:0', 'open form': 'form:0' }[step.do];
      return press(actionId, valueOf(step.operation, raw));
    }
    case 'review':
      return press('modal:decide-request', valueOf('decide-request', { request: [requestId], verdict: ['approved'] }));
    case 'withdraw':
      return press('ask:withdraw-request', valueOf('withdraw-request', { request: [requestId] }));
    case 'withdraw form':
      return submit('withdraw-request', {}, JSON.stringify({ before: { request: [requestId] } }));
    case 'decide':
      return submit(
        'decide-request',
        { 'comment 0': { value: { type: 'plain_text_input', value: 'Because' } } },
        decisionForm(step.metadata ?? requestId, step.verdict),
      );
    case 'password':
      return press('show-password', idBehind(surroundingsOf('user', step, where).cohort.users, step.user));
    case 'picker':
      return {
        kind: 'block_suggestion',
        body: {
          type: 'block_suggestion',
          ...origin,
          container: { type: 'view', view_id: hooks.viewId },
          action_id: 'value',
          block_id: step.field,
          value: step.text,
          view: viewOf({ hooks, where }, step.operation, {}),
        },
      };
    case 'shortcut':
      return {
        kind: 'shortcut',
        body: { type: 'shortcut', ...origin, action_ts: '1.1', callback_id: step.operation, trigger_id: trigger },
      };
    case 'find':
      return {
        kind: 'message_action',
        body: {
          type: 'message_action',
          ...origin,
          action_ts: '1.1',
          callback_id: 'find-in-quiz',
          trigger_id: trigger,
          response_url: url,
          message_ts: '1.1',
          channel: { id: channelId, name: 'training' },
          message: {
            type: 'message',
            user: surroundingsOf('user', step, where).cohort.people[step.author]?.id ?? step.author,
            ts: '1.1',
            text: 'x',
          },
        },
      };
    case 'workflow step':
      return {
        ...eventOf(where, step, functionExecuted(step, where, readStepInput(step, where).texts)),
        isAnsweredLater: true,
        isStep: true,
      };
    case 'home':
      return eventOf(where, step, {
        type: 'app_home_opened',
        user: personId,
        channel: `D${personId}`,
        tab: 'home',
        event_ts: '1.1',
      });
  }
}

interface Hooks {
  triggerId: string;
  responseUrl: string;
  viewId: string;
}

/** What a payload can be answered with: its own, or what the workspace of the other tenant gave somebody there. */
function hooksOf(step: DeliveredStep, where: Where): Hooks {
  const { cohort, slackUrl } = surroundingsOf('hooks', step, where);
  const personId = cohort === where.cohort ? where.personId : slackIdOf(cohort.number, step.who);
  return {
    triggerId: triggerId(personId, where.number),
    responseUrl: responseUrl(slackUrl, personId, where.number),
    viewId: viewId(personId, where.number),
  };
}

function eventOf(where: Where, step: DeliveredStep, event: Record<string, unknown>): Payload {
  const { number, cohort } = where;
  return {
    kind: 'event',
    body: {
      type: 'event_callback',
      token: 'retired',
      team_id: teamIn(step, where),
      api_app_id: 'A0THEBOT',
      event_id: `Ev${number}`,
      event_time: 1,
      event,
      authorizations: [
        {
          enterprise_id: null,
          team_id: cohort.tenant.teamId,
          user_id: 'U0THEBOT',
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
    },
  };
}

/** The value of a button that runs an operation. */
function valueOf(operation: string, raw: object): string {
  return JSON.stringify({ operation, raw });
}

/** The steps of workflows that are called otherwise than their operations. */
const callbacks: Readonly<Record<string, string>> = { 'show-results': 'get_result' };

/**
 * https://docs.slack.dev/reference/events/function_executed
 *
 * @param texts of the step, by field
 */
function functionExecuted(
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
