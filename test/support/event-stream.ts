/** An event of a stream. */
export interface ReadEvent {
  /** What a browser would send as `Last-Event-ID` if the stream ended here. */
  id: string;
  /** Empty: only the position has moved. */
  name: string;
  data: { id: string; status: string; types: string[] };
}

/** The events of a stream and its positions, as a browser takes it apart. */
export async function* stepsOf(response: Response): AsyncGenerator<ReadEvent> {
  let text = '';
  let id = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]));
      id = fields.id ?? id;
      if (fields.event) yield { id, name: fields.event, data: JSON.parse(fields.data!) };
      else if (fields.id) yield { id, name: '', data: { id: '', status: '', types: [] } };
    }
  }
}

/** The events alone. */
export async function* eventsOf(response: Response): AsyncGenerator<ReadEvent> {
  for await (const step of stepsOf(response)) if (step.name) yield step;
}
