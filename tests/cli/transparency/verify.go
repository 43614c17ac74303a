// Verifies what snl signed and proved by golang.org/x/mod, the code of Go's own checksum database.
//
//	verify VKEY CHECKPOINT PROOF HEAD       a .tlog-proof of the commit of this hash
//	verify VKEY CHECKPOINT OLDER LINES      that CHECKPOINT goes on from OLDER: a hash a line
//	verify served VKEY URL                  that a server's tiles and entries make its checkpoint
//	verify key KEYFILE VKEY                 that the key signs for that vkey
package main

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func read(file string) string {
	text, err := os.ReadFile(file)
	check(err)
	return string(text)
}

func hashOf(text string) (hash tlog.Hash) {
	bytes, err := base64.StdEncoding.DecodeString(text)
	check(err)
	copy(hash[:], bytes)
	return hash
}

// The size and the root of a checkpoint whose signature holds.
func open(vkey, text string) (int64, tlog.Hash) {
	verifier, err := note.NewVerifier(vkey)
	check(err)
	opened, err := note.Open([]byte(text), note.VerifierList(verifier))
	check(err)
	lines := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err)
	return size, hashOf(lines[2])
}

func get(url string) []byte {
	answer, err := http.Get(url)
	check(err)
	defer answer.Body.Close()
	bytes, err := io.ReadAll(answer.Body)
	check(err)
	if answer.StatusCode != 200 {
		check(fmt.Errorf("%s: %s", url, answer.Status))
	}
	return bytes
}

// The tiles of a server: Go's paths name the height too, C2SP's don't.
type tiles struct{ url string }

func (t tiles) Height() int { return 8 }
func (t tiles) ReadTiles(wanted []tlog.Tile) (data [][]byte, err error) {
	for _, tile := range wanted {
		data = append(data, get(t.url+"/"+strings.Replace(tile.Path(), "tile/8/", "tile/", 1)))
	}
	return data, nil
}
func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func verifyServed(vkey, url string) {
	size, root := open(vkey, string(get(url+"/checkpoint")))
	hashes := tlog.TileHashReader(tlog.Tree{N: size, Hash: root}, tiles{url})
	for first := int64(0); first < size; first += 256 {
		width := size - first
		if width > 256 {
			width = 256
		}
		path := strings.Replace(tlog.Tile{H: 8, L: 0, N: first / 256, W: int(width)}.Path(), "tile/8/0/", "tile/entries/", 1)
		entries := get(url + "/" + path)
		for n := int64(0); n < width; n++ {
			found, err := hashes.ReadHashes([]int64{tlog.StoredHashIndex(0, first+n)})
			check(err)
			if tlog.RecordHash(entries[34*n+2:34*n+34]) != found[0] {
				check(fmt.Errorf("entry %d is another", first+n))
			}
		}
	}
}

func main() {
	words := os.Args[1:]
	if words[0] == "served" {
		verifyServed(words[1], words[2])
		return
	}
	if words[0] == "key" {
		signer, err := note.NewSigner(strings.TrimSuffix(read(words[1]), "\n"))
		check(err)
		signed, err := note.Sign(&note.Note{Text: "text\n"}, signer)
		check(err)
		verifier, err := note.NewVerifier(words[2])
		check(err)
		_, err = note.Open(signed, note.VerifierList(verifier))
		check(err)
		return
	}
	size, root := open(words[0], read(words[1]))
	text := read(words[2])
	if !strings.HasPrefix(text, "c2sp.org/tlog-proof@v1\n") {
		oldSize, oldRoot := open(words[0], text)
		var proof tlog.TreeProof
		for _, line := range strings.Fields(read(words[3])) {
			proof = append(proof, hashOf(line))
		}
		check(tlog.CheckTree(proof, size, root, oldSize, oldRoot))
		return
	}
	lines := strings.Split(text, "\n")[1:]
	if strings.HasPrefix(lines[0], "extra ") {
		lines = lines[1:]
	}
	index, err := strconv.ParseInt(strings.TrimPrefix(lines[0], "index "), 10, 64)
	check(err)
	var proof tlog.RecordProof
	for _, line := range lines[1:] {
		if line == "" {
			break
		}
		proof = append(proof, hashOf(line))
	}
	head, err := hex.DecodeString(words[3])
	check(err)
	check(tlog.CheckRecord(proof, size, root, index, tlog.RecordHash(head)))
}
