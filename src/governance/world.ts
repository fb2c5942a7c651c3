import type { Directory } from '../directory/directory.ts';
import type { Actor, WhoIsWho } from '../directory/who-is-who.ts';
import type { World } from '../operations/operation.ts';
import type { OutgoingFile } from '../operations/outgoing-file.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import type { Reader } from './read-input.ts';
import { rightsOf, sightOf } from './rights.ts';

export interface WorldDependencies {
  api: QuizApi;
  directory: Directory;
  whoIsWho: WhoIsWho;
  makePassword: () => string;
  /** Sends a file to somebody of Slack, for them alone. */
  sendFile: (slackId: string, file: OutgoingFile) => Promise<void>;
  timeZone: string;
}

/** The world as it is for one person: what operations work with, and what reading an input needs. */
export function worldOf(deps: WorldDependencies, actor: Actor, call: CallOptions): World & Reader {
  const { api, directory, whoIsWho, makePassword, timeZone } = deps;
  const sendFile = (file: OutgoingFile) => deps.sendFile(actor.slackId, file);
  return { api, directory, whoIsWho, makePassword, sendFile, timeZone, actor, rights: rightsOf(actor), sight: sightOf(actor), call };
}
