import { expect, test } from 'vitest';
import { needsPress } from '../../src/governance/agents.ts';
import type { Outcome } from '../../src/governance/execute.ts';
import { createTools } from '../../src/mcp/call-tool.ts';
import { isTool } from '../../src/mcp/tool.ts';
import { catalog } from '../../src/operations/catalog.ts';
import type { Field } from '../../src/operations/fields/fields.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { openGovernedAccount, teamId } from '../support/governed-account.ts';
import { recordingLog } from '../support/log.ts';

const people = { administrator: 'UADA', 'trainer who edits quizzes': 'UERIN', 'trainer who manages users': 'UUMA', 'trainer who manages groups': 'UGUS', trainer: 'UNORA', 'suspended trainer': 'USVEN', stranger: 'USTRANGER' };

const doors = ['command', 'form', 'assistant', 'agent'] as const;

const texts: Partial<Record<Field['kind'], string[]>> = {
  quiz: ['q-3'], user: ['Nora'], users: ['Nora'], group: ['Warehouse'], assignees: ['Nora'], people: ['Nora'], audience: ['Nora'], email: ['kim@quiz.example'], day: ['2026-11-01'],
  channel: ['channel:C1'], durations: ['1d'], campaign: ['Ladders'], subscription: ['1'], file: ['channel:C1'],
};

/** A plausible input: the required fields, and a reason. */
function inputOf({ fields }: Operation): Record<string, string[]> {
  const given = Object.entries(fields).flatMap(([name, field]) => {
    if (field.optional) return [];
    return [[name, field.kind === 'choice' ? [field.usual ?? field.options[0]!.value] : (texts[field.kind] ?? ['Something new'])] as const];
  });
  return { ...Object.fromEntries(given), ...('to' in fields && { to: ['Nora'] }), reason: ['Needed'] };
}

/** What comes of each operation through a door, one after the other: the outcome, the calls of the service, and the record without the door’s name. */
async function through(door: (typeof doors)[number], personId: string) {
  const account = openGovernedAccount();
  let outcome: Outcome | undefined;
  const execute: typeof account.execute = async (request) => (outcome = await account.execute(request));
  const platform = { show: () => ({ lines: [], meta: {} }), readText: (text: string) => text, sendToPress: async () => {}, toolMeta: {} };
  const tools = createTools({ execute, permissions: account.permissions, platform, log: recordingLog().log });
  const results = [];
  try {
    for (const operation of catalog.filter(isTool)) {
      const [input, calls, entries] = [inputOf(operation), account.calls.length, (await account.record()).length];
      outcome = undefined;
      if (door === 'command' || door === 'form') await execute({ operation, inputs: [input], personId, teamId, through: door });
      else await tools.call({ personId, teamId, through: door }, operation.name, input);
      const first = outcome as Outcome | undefined;
      // The person presses the button that they were sent.
      if (door !== 'command' && door !== 'form' && first?.kind === 'unconfirmed' && needsPress(operation)) await execute({ operation, inputs: [first.input], personId, teamId, through: 'choice' });
      await account.settled();
      const record = (await account.record()).slice(entries).map((entry) => ({ ...entry, ...(entry.request !== undefined && { request: 'a request' }), through: entry.through === door || entry.through === 'choice' ? 'the door' : entry.through }));
      const asked = account.calls.slice(calls).map(({ call }) => call);
      const requests = needsPress(operation) ? asked.filter((call) => !/\.(?:list|get|find|groups)\b/.test(call)) : asked;
      results.push({ operation: operation.name, kind: (outcome as Outcome | undefined)?.kind, record, requests });
    }
    return results;
  } finally {
    await account.close();
  }
}

test.each(Object.entries(people))('for %s, each operation comes to the same by command, form, assistant and agent', async (_, personId) => {
  const [byCommand, ...others] = await Promise.all(doors.map((door) => through(door, personId)));
  for (const other of others) expect(other).toEqual(byCommand);
  expect(byCommand).toHaveLength(catalog.filter(isTool).length);
}, 60_000);

test('the table has operations that are done, requested and refused', async () => {
  const kinds = Object.fromEntries((await through('agent', 'UERIN')).map(({ operation, kind }) => [operation, kind]));
  expect(kinds).toMatchObject({ 'close-quiz': 'done', 'delete-quiz': 'requested', 'suspend-user': 'refused', 'list-users': 'refused' });
});
