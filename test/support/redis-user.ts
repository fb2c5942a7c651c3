import { connectRedis } from './redis.ts';
import { read } from './project-files.ts';

/**
 * Creates the user that docs/operations.md describes.
 * @returns the address with which a bot is that user, and what it was refused so far
 */
export async function createRedisUser(url: string): Promise<{ url: string; refused: () => Promise<string[]> }> {
  const [, rule = ''] = /^ACL (SETUSER invigilator .+)$/m.exec(read('docs/operations.md'))!;
  const withClient = async <Answer>(work: (client: Awaited<ReturnType<typeof connectRedis>>) => Promise<Answer>) => {
    const client = await connectRedis(url);
    const answer = await work(client);
    await client.close();
    return answer;
  };
  await withClient(async (client) => client.sendCommand(['ACL', ...rule.split(' ')]));
  const ofUser = new URL(url);
  [ofUser.username, ofUser.password] = ['invigilator', 'password'];
  return {
    url: ofUser.href,
    refused: async () => withClient(async (client) => (await client.aclLog()).map(({ object }) => object)),
  };
}
