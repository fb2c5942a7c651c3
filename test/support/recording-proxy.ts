import { startProxy, type Passing } from './proxy.ts';

/** What the quiz service, or something before it, can do instead of answering. */
export type ServiceFault = 'down' | 'slow' | '429' | 'HTML' | 'lost answers';

export interface RecordingProxy {
  url: string;
  requests: string[];
  /** From now on, until it is told otherwise. */
  setFault(fault: ServiceFault | undefined): void;
  close(): void;
}

/** Stands between the bot and the quiz service and writes down what goes through: `POST /api/v1/quizzes name=Ladders`. */
export async function startRecordingProxy(targetUrl: string): Promise<RecordingProxy> {
  const requests: string[] = [];
  let present: ServiceFault | undefined;

  function isInTheWay({ incoming, answer }: Passing): boolean {
    switch (present) {
      case 'down':
        incoming.socket.destroy();
        return true;
      case 'slow':
        return true;
      case '429':
        answer.writeHead(429, { 'content-type': 'application/json', 'retry-after': '60' }).end('{"message":"Too many requests"}');
        return true;
      case 'HTML':
        answer.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><html><head><title>Maintenance</title></head></html>');
        return true;
      default:
        return false;
    }
  }

  const proxy = await startProxy(targetUrl, {
    before(passing) {
      requests.push(passing.line);
      return isInTheWay(passing);
    },
    after({ incoming }) {
      const isLost = present === 'lost answers' && incoming.method === 'POST';
      if (isLost) incoming.socket.destroy();
      return isLost;
    },
  });
  return {
    ...proxy,
    requests,
    setFault(fault) {
      present = fault;
    },
  };
}
