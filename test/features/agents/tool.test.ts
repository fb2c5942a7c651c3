import { expect, test } from 'vitest';
import { toolOf } from '../../../src/features/agents/tool.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';

const descriptionOf = (name: string) =>
  toolOf(operationNamed(name)!, undefined, { toolMeta: {}, inOwnNames: (text) => text }).description;

test.each(['update-user', 'create-user', 'reset-password', 'delete-quiz', 'subscribe-channel', 'end-campaign'])(
  '%s says that the person may have to press a button',
  (name) => {
    expect(descriptionOf(name)).toContain('The person may have to press a button in a direct message first');
  },
);

test.each(['list-quizzes', 'close-quiz', 'assign-quiz', 'suspend-user'])('%s says nothing of a button', (name) => {
  expect(descriptionOf(name)).not.toContain('button');
});
