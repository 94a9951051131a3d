/** One grey pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg==';

/** 8,000 samples a second, and none of them. */
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

export const IMAGE = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };

export const AUDIO = { type: 'audio' as const, data: SILENCE, mimeType: 'audio/wav' };

export const embedded = (uri: string, content: string, mimeType = 'text/plain') => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: content },
});
