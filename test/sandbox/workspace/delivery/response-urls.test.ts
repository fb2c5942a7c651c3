import { describe, expect, it } from 'vitest';
import { people } from '../../../../src/sandbox/workspace/people.ts';
import { useStage } from '../support/stage.ts';

const stage = useStage();

async function responseUrl(): Promise<string> {
  await stage.ada.command('/quiz list');
  return String(stage.bot.received.at(-1)?.payload['response_url']);
}

const respond = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

describe('response URLs', () => {
  it('accept five posts', async () => {
    const url = await responseUrl();
    const statuses: number[] = [];
    for (let index = 0; index < 6; index += 1) statuses.push((await respond(url, { text: `${index}` })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 404]);
    expect(stage.workspace.ephemerals(people.ada.id)).toHaveLength(5);
  });

  it('expire after 30 minutes', async () => {
    const url = await responseUrl();
    stage.clock.advance(30 * 60_000);
    expect((await respond(url, { text: 'In time' })).status).toBe(200);
    stage.clock.advance(1);
    expect(await (await respond(url, { text: 'Too late' })).json()).toMatchObject({ ok: false, error: 'expired_url' });
  });

  it('are invalid a day later', async () => {
    const url = await responseUrl();
    stage.clock.advance(24 * 60 * 60_000 + 1);
    await responseUrl();
    expect(await (await respond(url, { text: 'Far too late' })).json()).toMatchObject({ error: 'invalid_url' });
  });

  it('replace and delete earlier messages', async () => {
    const url = await responseUrl();
    await respond(url, { text: 'One moment' });
    await respond(url, { text: 'Done', replace_original: true });
    expect(stage.workspace.ephemerals(people.ada.id)).toMatchObject([{ text: 'Done' }]);
    await respond(url, { delete_original: true });
    expect(stage.workspace.ephemerals(people.ada.id)).toEqual([]);
  });

  it('reject invalid blocks', async () => {
    const response = await respond(await responseUrl(), { blocks: [{ type: 'nonsense' }] });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: 'invalid_blocks',
      errors: ['unsupported type: nonsense [json-pointer:/blocks/0/type]'],
    });
    expect(stage.workspace.calls.at(-1)).toMatchObject({
      method: 'response_url',
      error: 'invalid_blocks',
      status: 400,
    });
  });

  it('cannot be guessed', async () => {
    expect((await respond(`${stage.workspace.url}response/made-up`, { text: 'Hello' })).status).toBe(404);
  });
});
