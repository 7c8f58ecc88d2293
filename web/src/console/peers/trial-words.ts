/** What came of trying an endpoint. */
export function trialInWords(answer: unknown): string {
  const { reached, said, fault } = answer as { reached?: boolean; said?: string; fault?: string };
  return reached === true ? `Reached. ${said ?? ''}` : `Not reached: ${fault ?? said ?? 'no answer'}`;
}
