/** What a sealed credential is bound to. */
export function credentialOwner({ userId, id }: { userId: string; id: string }): string {
  return `${userId}/${id}`;
}
