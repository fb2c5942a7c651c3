import { ApiError, type Method } from '../method.ts';

export const apps: Record<string, Method> = {
  'apps.connections.open': {
    tier: 1,
    scopes: ['connections:write'],
    token: 'app',
    run(core) {
      const url = core.sockets.ticket(core.baseUrl());
      if (url === undefined) throw new ApiError('too_many_websockets');
      return { url };
    },
  },
};
