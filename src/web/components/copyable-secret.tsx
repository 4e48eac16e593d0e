/** A secret with a button that copies it, which scripts reveal. */
export function CopyableSecret({ id, text, copy }: { id: string; text: string; copy: string }) {
  return (
    <div class="secret-line">
      <code class="secret" id={id}>
        {text}
      </code>
      <button type="button" class="second" data-copy={id} hidden>
        {copy}
      </button>
    </div>
  );
}
