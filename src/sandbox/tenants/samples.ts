import type { QuizServiceOptions } from '../quiz-service/service.ts';
import type { WorkspaceOptions } from '../workspace/workspace.ts';
import { accountPeople, workspacePeople } from './blue-harbor/people.ts';
import { quizzes } from './blue-harbor/quizzes.ts';

/** What one tenant of the sandbox has that the others have not. */
export interface TenantSample {
  /** As in the file of tenants. Undefined for a bot of its own, which needs no file. */
  name?: string;
  /** Variables of its bot. */
  names?: { COMMAND_PREFIX: string; BOT_NAME: string };
  workspace?: Pick<WorkspaceOptions, 'teamName' | 'people'>;
  quizService?: Pick<QuizServiceOptions, 'quizzes' | 'people' | 'sampleSeed'>;
}

/** The first has the people and quizzes of the usual sandbox. */
export const tenantSamples: readonly TenantSample[] = [
  { name: 'northwind', workspace: { teamName: 'Northwind Training' } },
  {
    name: 'blue-harbor',
    names: { COMMAND_PREFIX: 'exam', BOT_NAME: 'Examiner' },
    workspace: { teamName: 'Blue Harbor Hotels', people: workspacePeople },
    quizService: { quizzes, people: accountPeople, sampleSeed: 20_260_403 },
  },
];
