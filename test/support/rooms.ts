import type { QuizService } from '../../src/sandbox/quiz-service/service.ts';
import { addQuiz } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import type { Channel } from '../../src/sandbox/workspace/model.ts';
import { botUserId, people } from '../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';

/** A channel and the quiz it wants to hear of. */
export interface Room {
  channel: Channel;
  quiz: { id: string; name: string };
}

export function planRooms(count: number): Room[] {
  return Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(3, '0');
    return {
      channel: { id: `C0ROOM${number}`, name: `room-${number}`, kind: 'public', members: [people.ada.id, botUserId] },
      quiz: { id: `10000000-0000-4000-8000-000000000${number}`, name: `Drill ${number}` },
    };
  });
}

export function addQuizzes({ database }: QuizService, rooms: readonly Room[]): void {
  for (const { quiz } of rooms) addQuiz(database, { quiz_id: quiz.id, name: quiz.name, status: 'open', date_created: '2026-01-01 00:00:00' });
}

/** An administrator subscribes each channel to its quiz, as people do. */
export async function subscribeRooms(workspace: Workspace, rooms: readonly Room[]): Promise<void> {
  const ada = workspace.as(people.ada.id);
  for (const { channel, quiz } of rooms) {
    const outcome = await ada.command(`/quiz-alerts subscribe "${quiz.name}" each`, { channel: channel.id });
    await outcome.reply();
    await workspace.until(() => workspace.messages(channel.id).length > 0);
  }
}
