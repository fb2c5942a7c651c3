import type { Directory } from '../directory/directory.ts';
import type { Actor, WhoIsWho } from '../directory/who-is-who.ts';
import type { World } from '../operations/operation.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import type { Reader } from './read-input.ts';
import { rightsOf, sightOf } from './rights.ts';

export interface WorldDependencies {
  api: QuizApi;
  directory: Directory;
  whoIsWho: WhoIsWho;
  makePassword: () => string;
}

/** The world as it is for one person: what operations work with, and what reading an input needs. */
export function worldOf(deps: WorldDependencies, actor: Actor, call: CallOptions): World & Reader {
  const { api, directory, whoIsWho, makePassword } = deps;
  return { api, directory, whoIsWho, makePassword, actor, rights: rightsOf(actor), sight: sightOf(actor), call };
}
