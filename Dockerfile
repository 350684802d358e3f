# Two images of one executable, from what `bun run build --all` left in dist/targets:
#   docker buildx build --target plain .   for servers behind a URL; no shell, nothing but libc
#   docker buildx build --target node .    for servers that are started with node or npx
# Both run as nobody, write nothing, and work with --read-only and --network=none.
# Bases are pinned by digest; `docker buildx imagetools inspect NAME:TAG` tells the newest.

FROM node:22-slim@sha256:83f487e0a63425e5b4d146fb5e5be574bcbe1b7b843d3ebafdd95eaf7767a7e5 AS node
ARG TARGETARCH
COPY --chmod=755 dist/docker/${TARGETARCH}/ /
ENV npm_config_cache=/tmp/npm npm_config_update_notifier=false
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/usr/local/bin/mcp-assay"]

FROM gcr.io/distroless/base-nossl-debian12:nonroot@sha256:be40c00dfabd86576d92666e87e406714d5618342de1a0c213ad232de255172e AS plain
ARG TARGETARCH
COPY --chmod=755 dist/docker/${TARGETARCH}/ /
# Read when a command is not found.
ENV MCP_ASSAY_IMAGE=plain
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/usr/local/bin/mcp-assay"]
