import { describe, expect, it } from 'vitest';
import { people } from '../../../src/sandbox/workspace/people.ts';
import { userContext } from '../../../src/sandbox/workspace/workflow-builder/functions.ts';
import { manifestWith } from '../../support/open-test-bed.ts';
import { useStage } from './support/stage.ts';

const stage = useStage({ manifestPath: manifestWith('steps') });
const inputs = { acts_as: 'x', quiz: 'q-1', person: people.rosa.id };
const complete = (id: string, outputs: unknown = { message: 'Done.' }) =>
  stage.ask('functions.completeSuccess', { function_execution_id: id, outputs });
const fail = (id: string, error = 'No.') => stage.ask('functions.completeError', { function_execution_id: id, error });

describe('functions.completeSuccess and functions.completeError (https://docs.slack.dev/reference/methods/functions.completeSuccess)', () => {
  it('end a run once', async () => {
    const { id } = await stage.workspace.functions.run('assign_quiz', inputs);
    expect(await complete(id)).toMatchObject({ ok: true });
    for (const again of [complete, fail])
      expect(await again(id)).toMatchObject({ ok: false, error: 'execution_not_in_running_state' });
    expect(stage.workspace.functions.executions.get(id)).toMatchObject({
      state: 'completed',
      outputs: { message: 'Done.' },
    });
  });

  it('know no run but those that began', async () => {
    for (const end of [complete, fail])
      expect(await end('Fx0NOWHERE')).toMatchObject({ error: 'function_execution_not_found' });
  });

  it.each([
    ['a required output is missing', {}],
    ['an output has another type', { message: 5 }],
    ['an output is not in the manifest', { message: 'Done.', more: 'x' }],
  ])('refuse outputs where %s, and the run goes on', async (_name, outputs) => {
    const { id } = await stage.workspace.functions.run('assign_quiz', inputs);
    expect(await complete(id, outputs)).toMatchObject({ error: 'parameter_validation_failed' });
    expect(await fail(id)).toMatchObject({ ok: true });
  });
});

describe('function_executed (https://docs.slack.dev/reference/events/function_executed)', () => {
  it('names the function and its inputs, and no person', async () => {
    const execution = await stage.workspace.functions.run('assign_quiz', inputs);
    const { event, authorizations } = Object(stage.workspace.deliveries.at(-1)?.body);
    expect(event).toMatchObject({
      type: 'function_executed',
      function: { callback_id: 'assign_quiz' },
      inputs,
      function_execution_id: execution.id,
    });
    expect(event).not.toHaveProperty('user');
    expect(JSON.stringify(authorizations)).not.toContain(people.ada.id);
  });

  it('is not sent for inputs with which the workflow could not be published', async () => {
    await expect(stage.workspace.functions.run('assign_quiz', { acts_as: 'x' })).rejects.toThrow('quiz is required.');
    await expect(stage.workspace.functions.run('assign_quiz', { ...inputs, person: 'Rosa' })).rejects.toThrow(
      'person is not a slack#/types/user_id.',
    );
    expect(stage.workspace.deliveries).toEqual([]);
  });
});

describe('dynamic options (https://docs.slack.dev/tools/bolt-js/concepts/custom-steps-dynamic-options)', () => {
  it('name the builder in a way that no other person can be named', async () => {
    await expect(stage.workspace.functions.options(people.ada.id, 'assign_quiz', 'quiz', 'fi')).rejects.toThrow(
      'The app didn’t give any options in time.',
    );
    const { event } = Object(stage.workspace.deliveries.at(-1)?.body);
    expect(event.inputs).toEqual({ builder: userContext(people.ada.id), query: 'fi' });
    const forged = { id: people.tom.id, secret: userContext(people.ada.id).secret };
    await expect(stage.workspace.functions.run('list_quizzes', { builder: forged })).rejects.toThrow(
      'builder is not a slack#/types/user_context.',
    );
  });
});
