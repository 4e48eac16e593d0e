import { defineConfig } from 'tidemark';
import { exampleProvider } from 'tidemark-example-provider';

export default defineConfig({ providers: [exampleProvider] });
