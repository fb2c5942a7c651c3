import { describe, expect, test } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';

const { erin, nora } = people;
const { partners, results } = channels;
const question = `<#${partners.id}> is shared with *Partner Training*`;

describe('a channel that another company shares', () => {
  test('is subscribed only after a question that names the company', async () => {
    const { workspace } = await startTestBed();
    const actor = workspace.as(erin.id);
    const reply = await (await actor.command('/quiz-alerts subscribe fire', { channel: partners.id })).reply();
    expect(textOf(reply)).toContain(question);
    expect(reply.onlyFor).toBe(erin.id);
    expect(workspace.messages(partners.id)).toEqual([]);
    await actor.click(reply, 'choose:confirmed');
    await workspace.until(() => workspace.messages(partners.id).length > 0);
  });

  test('is asked about where a command names it in another channel', async () => {
    const { workspace } = await startTestBed();
    const reply = await (await workspace.as(erin.id).command('/quiz-alerts subscribe #partners all')).reply();
    expect(textOf(reply)).toContain(question);
    expect(workspace.messages(partners.id)).toEqual([]);
  });

  test('is not asked about with a person who may subscribe nothing', async () => {
    const { workspace } = await startTestBed();
    workspace.setChannel(partners.id, { members: [...partners.members, nora.id] });
    const reply = await (
      await workspace.as(nora.id).command('/quiz-alerts subscribe all', { channel: partners.id })
    ).reply();
    expect(textOf(reply)).not.toContain(question);
    expect(textOf(reply)).toContain('You can’t edit quizzes.');
  });

  test('is neither offered nor filled in by the form', async () => {
    const { workspace } = await startTestBed();
    const actor = workspace.as(erin.id);
    const elsewhere = await (await actor.command('/quiz-alerts subscribe', { channel: results.id })).view();
    expect(JSON.stringify(elsewhere.blocks)).toContain(`"initial_conversation":"${results.id}"`);
    const view = await (await actor.command('/quiz-alerts subscribe', { channel: partners.id })).view();
    expect(JSON.stringify(view.blocks)).not.toContain(partners.id);
    await expect(actor.fill(view, { channel: partners.id })).rejects.toThrow('does not offer partners');
  });

  test.each([
    ['cannot be named', 'team.info', 'is shared with *another company*'],
    ['cannot be looked up', 'conversations.info', 'Partner Training'],
  ])('says as much of the sharing as Slack says: %s', async (_, method, words) => {
    const { workspace, lines } = await startTestBed();
    workspace.faults.inject({ kind: 'api-error', error: 'missing_scope' }, { method });
    const reply = await (
      await workspace.as(erin.id).command('/quiz-alerts subscribe all', { channel: partners.id })
    ).reply();
    expect(textOf(reply).includes(words)).toBe(method === 'team.info');
    expect(lines.join('')).toContain('missing_scope');
  });
});
