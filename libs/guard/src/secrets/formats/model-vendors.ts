import type { TokenFormat } from '../token-format.js';
import { looksGenerated } from '../generated-value.js';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const isGenerated = (body: string): boolean => looksGenerated(body, 24);

/** Language models and what agents use beside them. */
export const MODEL_VENDOR_FORMATS: readonly TokenFormat[] = [
  { kind: 'anthropic_api_key', prefixes: ['sk-ant-api', 'sk-ant-admin'], body: '[0-9]{2}-[\\w-]{80,}' },
  { kind: 'anthropic_oauth', prefixes: ['sk-ant-oat', 'sk-ant-ort', 'sk-ant-sid'], body: '[0-9]{2}-[\\w-]{80,}' },
  {
    kind: 'openai_project_key',
    prefixes: ['sk-proj-', 'sk-svcacct-', 'sk-admin-'],
    body: '[\\w-]{20,}T3BlbkFJ[\\w-]{20,}',
  },
  { kind: 'openai_legacy_key', prefixes: ['sk-'], body: '[0-9A-Za-z]{20}T3BlbkFJ[0-9A-Za-z]{20}' },
  // Several vendors copied the first form of OpenAI's keys, without the mark in the middle.
  { kind: 'sk_api_key', prefixes: ['sk-'], body: '[0-9A-Za-z]{48}', isValid: isGenerated },
  { kind: 'sk_api_key', prefixes: ['sk-'], body: '[0-9a-f]{32}' },
  { kind: 'openrouter_key', prefixes: ['sk-or-v1-'], body: '[0-9a-f]{64}' },
  { kind: 'langfuse_secret_key', prefixes: ['sk-lf-'], body: UUID },
  { kind: 'langsmith_key', prefixes: ['lsv2_pt_', 'lsv2_sk_'], body: '[0-9a-f]{32}_[0-9a-f]{10}' },
  { kind: 'huggingface_token', prefixes: ['hf_', 'api_org_'], body: '[0-9A-Za-z]{34}' },
  { kind: 'groq_key', prefixes: ['gsk_'], body: '[0-9A-Za-z]{52}' },
  { kind: 'replicate_token', prefixes: ['r8_'], body: '[0-9A-Za-z]{37}' },
  { kind: 'perplexity_key', prefixes: ['pplx-'], body: '[0-9A-Za-z]{48,56}' },
  { kind: 'xai_key', prefixes: ['xai-'], body: '[0-9A-Za-z]{70,90}' },
  { kind: 'pinecone_key', prefixes: ['pcsk_'], body: '[0-9A-Za-z]{4,8}_[0-9A-Za-z]{55,75}' },
  { kind: 'fireworks_key', prefixes: ['fw_'], body: '[0-9A-Za-z]{22,24}', isValid: (body) => looksGenerated(body, 22) },
  { kind: 'tavily_key', prefixes: ['tvly-'], body: '(?:dev-|prod-)?[0-9A-Za-z-]{32,}', isValid: isGenerated },
  { kind: 'firecrawl_key', prefixes: ['fc-'], body: '[0-9a-f]{32}' },
  { kind: 'elevenlabs_key', prefixes: ['sk_'], body: '[0-9a-f]{48}' },
  { kind: 'cerebras_key', prefixes: ['csk-'], body: '[0-9a-z]{48}' },
  { kind: 'nvidia_key', prefixes: ['nvapi-'], body: '[\\w-]{60,72}' },
  { kind: 'together_key', prefixes: ['tgp_v1_'], body: '[\\w-]{43}' },
  { kind: 'voyage_key', prefixes: ['pa-'], body: '[\\w-]{43}', isValid: isGenerated },
  { kind: 'e2b_key', prefixes: ['e2b_'], body: '[0-9a-f]{40}' },
  { kind: 'jina_key', prefixes: ['jina_'], body: '[0-9a-f]{32}[\\w-]{28}' },
  { kind: 'context7_key', prefixes: ['ctx7sk-'], body: UUID },
];
