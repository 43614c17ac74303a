// Verifies what snl signed and proved by golang.org/x/mod, the code of Go's own checksum database.
//
//	verify VKEY CHECKPOINT PROOF HEAD       a .tlog-proof of the commit of this hash
//	verify VKEY CHECKPOINT OLDER LINES      that CHECKPOINT goes on from OLDER: a hash a line
//	verify key KEYFILE VKEY                 that the key signs for that vkey
package main

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
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

func main() {
	words := os.Args[1:]
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
