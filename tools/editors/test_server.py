"""Drives `sandboxc lsp` with pytest-lsp. `pytest.sh` starts it."""

import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

HEAD = "apiVersion: sandboxc.dev/v1alpha1\n"
PROJECT = HEAD + "kind: Project\nspec: {}\n"
TEMPLATES = HEAD + "kind: Template\nmetadata: {name: python}\nspec: {image: 'python:3.13'}\n"
POOL = HEAD + "kind: WarmPool\nmetadata: {name: pool}\nspec:\n  template: python\n  \n"


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[os.environ["SANDBOXC"], "lsp"]))
async def client(lsp_client: LanguageClient, tmp_path: pathlib.Path):
    # pytest-lsp itself has no answer to this request.
    lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda *_: None)
    (tmp_path / "sandboxc.yaml").write_text(PROJECT)
    (tmp_path / "templates.yaml").write_text(TEMPLATES)
    parameters = types.InitializeParams(
        capabilities=client_capabilities("visual-studio-code"),
        workspace_folders=[types.WorkspaceFolder(uri=tmp_path.as_uri(), name="test")],
    )
    await lsp_client.initialize_session(parameters)
    lsp_client.folder = tmp_path
    yield
    await lsp_client.shutdown_session()


def open_document(client: LanguageClient, name: str, text: str) -> types.TextDocumentIdentifier:
    uri = (client.folder / name).as_uri()
    document = types.TextDocumentItem(uri=uri, language_id="yaml", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=document))
    return types.TextDocumentIdentifier(uri=uri)


async def findings(client: LanguageClient, document: types.TextDocumentIdentifier):
    parameters = types.DocumentDiagnosticParams(text_document=document)
    report = await client.text_document_diagnostic_async(parameters)
    return report.items


@pytest.mark.asyncio
async def test_findings_have_repairs(client: LanguageClient):
    text = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {container: []}\n"
    document = open_document(client, "pod.yaml", text)
    [finding] = [it for it in await findings(client, document) if it.code == "unknown-field"]
    parameters = types.CodeActionParams(
        text_document=document,
        range=finding.range,
        context=types.CodeActionContext(diagnostics=[finding]),
    )
    actions = await client.text_document_code_action_async(parameters)
    assert any("containers" in it.title for it in actions)


@pytest.mark.asyncio
async def test_fields_and_names_are_completed(client: LanguageClient):
    document = open_document(client, "pool.yaml", POOL)

    async def labels(line: int, character: int):
        position = types.Position(line=line, character=character)
        parameters = types.CompletionParams(text_document=document, position=position)
        found = await client.text_document_completion_async(parameters)
        return [it.label for it in found.items]

    assert await labels(5, 2) == ["autoscaling", "replicas", "updateStrategy"]
    assert await labels(4, 12) == ["python"]


@pytest.mark.asyncio
async def test_hover_describes_a_field_with_its_value(client: LanguageClient):
    document = open_document(client, "pool.yaml", POOL)
    await findings(client, document)
    position = types.Position(line=4, character=4)
    parameters = types.HoverParams(text_document=document, position=position)
    hover = await client.text_document_hover_async(parameters)
    assert "Name of the Template" in hover.contents.value
    assert "spec.sandboxTemplateRef.name: python" in hover.contents.value


@pytest.mark.asyncio
async def test_names_lead_to_their_objects(client: LanguageClient):
    document = open_document(client, "pool.yaml", POOL)
    await findings(client, document)
    position = types.Position(line=4, character=14)
    parameters = types.DefinitionParams(text_document=document, position=position)
    [location] = await client.text_document_definition_async(parameters)
    assert location.uri.endswith("/templates.yaml")
    parameters = types.RenameParams(text_document=document, position=position, new_name="cpython")
    edit = await client.text_document_rename_async(parameters)
    assert len(edit.document_changes) == 2


@pytest.mark.asyncio
async def test_structure_and_hints(client: LanguageClient):
    document = open_document(client, "pool.yaml", POOL)
    await findings(client, document)
    symbols = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(text_document=document)
    )
    assert [it.name for it in symbols] == ["pool"]
    folds = await client.text_document_folding_range_async(
        types.FoldingRangeParams(text_document=document)
    )
    assert folds
    end = types.Position(line=9, character=0)
    everything = types.Range(start=types.Position(line=0, character=0), end=end)
    templates = open_document(client, "templates.yaml", TEMPLATES)
    hints = await client.text_document_inlay_hint_async(
        types.InlayHintParams(text_document=templates, range=everything)
    )
    assert [it.label for it in hints] == ["used by 1 WarmPool"]


@pytest.mark.asyncio
async def test_a_whole_file_is_typed_key_by_key(client: LanguageClient):
    document = open_document(client, "pool.yaml", "")
    line, character = 0, 0
    for version, key in enumerate(POOL, start=2):
        place = types.Position(line=line, character=character)
        change = types.TextDocumentContentChangePartial(
            range=types.Range(start=place, end=place), text=key
        )
        versioned = types.VersionedTextDocumentIdentifier(uri=document.uri, version=version)
        client.text_document_did_change(
            types.DidChangeTextDocumentParams(text_document=versioned, content_changes=[change])
        )
        line, character = (line + 1, 0) if key == "\n" else (line, character + 1)
        position = types.Position(line=line, character=character)
        parameters = types.CompletionParams(text_document=document, position=position)
        await client.text_document_completion_async(parameters)
    errors = [
        it
        for it in await findings(client, document)
        if it.severity == types.DiagnosticSeverity.Error
    ]
    assert errors == []
    assert client.log_messages == []
